import type { TaskStatus } from '@/contract/types'

/** Statuses of a successful authorised read, in order; a read in one of them is running. */
export const TASK_SEQUENCE: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']
