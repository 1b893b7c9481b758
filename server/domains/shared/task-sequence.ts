import type { TaskStatus } from '@/contract/types'

/** The statuses of an authorised read that goes well, in their order; a read in one of them is running. */
export const TASK_SEQUENCE: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']
