/** Real clients send a few, but a header may have a megabyte of commas. */
const itemsMax = 1000;

/** The items of a header that lists them between commas, without white space around them. Those after the first thousand are not read. */
export function headerItems(header: string): readonly string[] {
  return header.split(",", itemsMax).map((item) => item.trim());
}
