/**
 * A signal that is aborted at the first SIGINT, SIGTERM or SIGHUP; its reason is the name. Later ones change nothing:
 * the children are being ended already.
 */
export const cancelSignal = (): AbortSignal => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort(name))
  return controller.signal
}
