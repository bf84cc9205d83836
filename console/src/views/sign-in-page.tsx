import { useSignal } from "@preact/signals";
import { type SignIn, signIn, signInProblem } from "../state/session.ts";

/** For users without a sign-in link, or whose link was already used. */
export function SignInPage() {
  const token = useSignal("");
  const busy = useSignal(false);
  const submit = async (how: SignIn): Promise<void> => {
    busy.value = true;
    await signIn(how).finally(() => {
      busy.value = false;
    });
  };
  return (
    <main class="sign-in">
      <h1>Sign in to the console</h1>
      {signInProblem.value !== "" && (
        <p class="notice bad" role="alert">
          {signInProblem.value}
        </p>
      )}
      <p>
        Open the link that the server printed when it started. For another one, as yourself:
        <code class="block">kubectl create --raw /console/links -f /dev/null</code>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit({ token: token.value.trim() });
        }}
      >
        <label for="token">Or sign in with a token</label>
        <textarea
          id="token"
          rows={3}
          spellcheck={false}
          autocomplete="off"
          value={token}
          onInput={(event) => {
            token.value = event.currentTarget.value;
          }}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={busy.value || token.value.trim() === ""}>
            Sign in
          </button>
          <button type="button" disabled={busy} onClick={() => void submit({ certificate: true })}>
            Use this browser’s certificate
          </button>
        </div>
      </form>
    </main>
  );
}
