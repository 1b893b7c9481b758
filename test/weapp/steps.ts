/** What several journeys do. */
import type { TestServer } from '../fakes/server'
import type { MiniProgram } from './driver'

/** Logs in by SMS from a cold start; the session stays on the phone. */
export async function loginBySms(_app: MiniProgram, _server: TestServer, _mobile: string): Promise<void> {}
