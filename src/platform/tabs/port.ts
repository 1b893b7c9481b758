/** Shows the tab page at `url`, an absolute path without a query, above home. Resolves when the runtime has accepted it. */
export type SwitchTab = (url: string) => Promise<unknown>
