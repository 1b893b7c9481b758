import type { CustomerService } from './port'

/** A browser has none: the chat page itself serves. */
export const customerService: CustomerService = { available: () => false, open: async () => false }
