import type { TaskStatus } from '@/contract/types'

/** Statuses of a successful collection, in order; one in any of them is running. */
export const TASK_SEQUENCE: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']
