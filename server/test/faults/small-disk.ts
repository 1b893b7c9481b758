/**
 * A file system that can be filled: a small tmpfs where this user may mount one. Elsewhere the same writes fail by the
 * limit on file sizes (`prlimit`) that is put on the processes that write: EFBIG instead of ENOSPC.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface SmallDisk {
  /** folder on it */
  home: string
  /** how the disk is filled, for the report */
  by: 'tmpfs' | 'prlimit'
  /** Fills the disk. @param pids writing processes, for `prlimit` */
  fill(pids: readonly number[]): void
  free(pids: readonly number[]): void
  remove(): void
}

const BLOCK = Buffer.alloc(64 * 1024)
/** bytes of a file that can still be written under `prlimit`: the log of the embedded database comes in such files */
const FILE_LIMIT = 16 * 1024 * 1024

function writeUntilFull(file: string) {
  const fd = openSync(file, 'w')
  try {
    // small steps at the end, so that no page stays free
    for (let size = BLOCK.length; size >= 512; size /= 2)
      try {
        for (;;) writeSync(fd, BLOCK, 0, size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
  } finally {
    closeSync(fd)
  }
}

const limit = (pids: readonly number[], bytes: number | 'unlimited') => {
  for (const pid of pids) spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}

/** @param megabytes size of the file system */
export function createSmallDisk(megabytes: number): SmallDisk {
  const home = mkdtempSync(path.join(tmpdir(), 'faults-disk-'))
  const mounted = process.env.FAULTS_NO_MOUNT
    ? false
    : spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', home]).status === 0
  const ballast = path.join(home, 'ballast')
  const unmount = () => {
    if (mounted) spawnSync('umount', ['-l', home])
  }
  process.once('exit', unmount)
  if (!mounted) execFileSync('prlimit', ['--version'])
  return {
    home,
    by: mounted ? 'tmpfs' : 'prlimit',
    fill: (pids) => (mounted ? writeUntilFull(ballast) : limit(pids, FILE_LIMIT)),
    free: (pids) => (mounted ? rmSync(ballast, { force: true }) : limit(pids, 'unlimited')),
    remove() {
      process.off('exit', unmount)
      unmount()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
