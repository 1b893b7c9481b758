import { AppError } from '../core/app-error'

/** A call of a service that is not set up: refused, with a message to the user. */
export const unavailable = (msg: string) => async (): Promise<never> => {
  throw new AppError('SERVICE_UNAVAILABLE', { msg })
}
