import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A modal dialog that is open as long as it is rendered. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={props.isWide === true ? "wide" : ""}
      aria-label={props.title}
      onClose={props.onClose}
    >
      <h2 class="title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}
