/** The words that may follow `store` on the command line. */
export const storeCommandNames = ["backup", "restore", "check", "decode", "encode"] as const;
export type StoreCommandName = (typeof storeCommandNames)[number];
