/** The static checks: everything that can be checked in a built mini-program without running it. */
import { routes } from '@/router/routes'
import { harmless } from './declared'
import type { Build, Violation } from './files'
import { markupViolations } from './markup'
import { projectViolations } from './project'
import { type Settings, scriptViolations } from './rules'
import { structureViolations } from './structure'

const publicPages = Object.values(routes)
  .filter((r) => 'open' in r)
  .map(({ path }) => path)

/**
 * @param project text of project.config.json
 * @returns one line for each violation
 */
export function checkBuild(build: Build, project: string, settings: Settings): Violation[] {
  return [
    ...structureViolations(build, publicPages),
    ...scriptViolations(build, settings),
    ...markupViolations(build),
    ...projectViolations(project, settings.release),
  ].filter((violation) => !harmless.includes(violation))
}
