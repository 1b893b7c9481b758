/** How a sale reached the server. */
export const saleChannels = ['IMPORT', 'PARTNER', 'FOLLOW_UP', 'APPRAISER', 'LISTING'] as const
export type SaleChannel = (typeof saleChannels)[number]

/** Why a sale waits for a decision at the desk. */
export const holdReasons = ['NEW', 'LEVEL', 'OUTLIER', 'PROOF'] as const
export type HoldReason = (typeof holdReasons)[number]
