import { useNow } from '@/lib/useNow'

/** Whole seconds until `at` (ms). */
export const useSecondsLeft = (at: number): number => Math.max(0, Math.ceil((at - useNow(at)) / 1000))
