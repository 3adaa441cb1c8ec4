/** Takes credentials out of an address: what is left may be shown and stored. Of name and password the latter counts. */
export const splitRemote = (address: string): { url: string; token: string | null } => {
  const [, scheme, login, rest] = /^(https?:\/\/)([^/]*)@(.*)$/s.exec(address) ?? []
  if (scheme === undefined || login === undefined || rest === undefined) return { url: address, token: null }
  const [name = '', password = ''] = login.split(/:(.*)/s)
  const token = decode(password) || decode(name)
  return { url: scheme + rest, token: token === '' ? null : token }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
