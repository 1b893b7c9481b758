import { createScreenshotTask, screenshotTask } from '../domains/screenshots/tasks'
import type { Handlers } from './handlers'

export const screenshotHandlers: Handlers<'screenshot'> = {
  create: createScreenshotTask,
  get: (ctx, { taskId }) => screenshotTask(ctx, taskId),
}
