import { createScreenshotTask, screenshotTask } from '../domains/games/screenshots/tasks'
import type { Handlers } from './handlers'

export const screenshotHandlers: Handlers<'screenshot'> = {
  create: createScreenshotTask,
  get: (ctx, { taskId }) => screenshotTask(ctx, taskId),
}
