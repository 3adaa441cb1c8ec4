import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type Seen = { method: string; url: string; authorization: string[] }

export type GitServer = AsyncDisposable & {
  /** Address of the folder that is served, with a closing slash. */
  url: string
  seen: Seen[]
  /** Asked before each request; answers true when it has dealt with it. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Asked when a request was answered in full by git: true cuts the answer off. */
  swallow: (request: IncomingMessage) => boolean
}

/** Serves the bare repositories under a folder by git's own `http-backend`. With a token, everything asks for it. */
export const gitServer = async (folder: string, token: string | null = null): Promise<GitServer> => {
  const seen: Seen[] = []
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const server: Server = createServer((request, response) => {
    const authorization = request.rawHeaders.filter(
      (_, i, all) => /^authorization$/i.test(all[i - 1] ?? '') && i % 2 === 1,
    )
    seen.push({ method: request.method ?? '', url: request.url ?? '', authorization })
    if (made.intercept(request, response)) return
    if (token !== null && authorization.join() !== expected) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
      return
    }
    serve(folder, request, response, made)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const made: GitServer = {
    url: `http://127.0.0.1:${port}/`,
    seen,
    intercept: () => false,
    swallow: () => false,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return made
}

const serve = (folder: string, request: IncomingMessage, response: ServerResponse, made: GitServer) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      REMOTE_USER: 'ralph',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    if (made.swallow(request)) {
      response.writeHead(200, { 'Content-Length': '1000' }).write('00', () => response.destroy()) // not at once: curl would send it again
      return
    }
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const headers = all
      .subarray(0, end)
      .toString('latin1')
      .split('\r\n')
      .map((row) => row.split(': '))
    const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
    response.end(all.subarray(end + 4))
  })
}
