/**
 * The content security policy of our pages: no inline code, no inline styles, nothing loaded from
 * or sent to another host. Pictures may also come from a document (`data:`), from a file that is
 * being imported (`blob:`) or from the hosts that the configuration names.
 *
 * @param imageHosts origins, checked when the configuration was read
 */
export function pageHeaders(imageHosts: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      ["img-src 'self' data: blob:", ...imageHosts].join(' '),
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}
