import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid, textField } from '../../core/app-error'

/** Multipart parser errors are client errors: the parser reads nothing but the request. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  if ((error as { statusCode?: number }).statusCode === 413) return new AppError('PAYLOAD_TOO_LARGE')
  return invalid([{ path: '', msg: '表单不完整或格式不正确，请重试' }])
}

async function* refusing<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw asRefusal(error)
  }
}

/** The bytes of an uploaded file. A truncated form is an error of the stream. */
export const fileOf = ({ file }: MultipartFile): Readable => Readable.from(refusing<Buffer>(file))

/**
 * Fields and files of a `multipart/form-data` request in the order they were sent; each file must be consumed
 * (`fileOf`) before the next part. The plugin parses fields declared as JSON; only text is accepted here.
 * @throws AppError VALIDATION_FAILED (no boundary, broken parts, no text), PAYLOAD_TOO_LARGE (more than the plugin's
 * limits)
 */
export async function* partsOf(req: FastifyRequest) {
  for await (const part of refusing(req.parts())) {
    if (part.type === 'file') yield part
    else yield { ...part, value: textField(part.fieldname, part.value) }
  }
}
