/** For supervisors of containers: exit code 0 while the process in this container serves. */
const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
