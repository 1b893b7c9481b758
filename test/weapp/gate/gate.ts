/** The static gate: everything that can be checked in a built mini-program without running it. */
import { routes } from '@/router/routes'
import { harmless } from './declared'
import type { Build, Fault } from './files'
import { markupFaults } from './markup'
import { projectFaults } from './project'
import { type Settings, scriptFaults } from './rules'
import { structureFaults } from './structure'

const publicPages = Object.values(routes)
  .filter((r) => 'open' in r)
  .map(({ path }) => path)

/**
 * @param project text of project.config.json
 * @returns one line for each fault; none is right
 */
export function gate(build: Build, project: string, settings: Settings): Fault[] {
  return [
    ...structureFaults(build, publicPages),
    ...scriptFaults(build, settings),
    ...markupFaults(build),
    ...projectFaults(project, settings.release),
  ].filter((fault) => !harmless.includes(fault))
}
