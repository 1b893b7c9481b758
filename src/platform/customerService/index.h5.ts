import type { CustomerService } from './port'

/** Not available in browsers, which use the app's own chat. */
export const customerService: CustomerService = { available: () => false, open: async () => false }
