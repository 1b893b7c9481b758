import type { Probe } from './port'

export const probe: Probe = async () => true
