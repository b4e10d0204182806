/**
 * Text for a browser rather than a shop: markup and web addresses. It is never counted, stored or
 * suggested, so that nobody can show links or tags to others by searching for them.
 *
 * Errs on the safe side: `tv < 40 inch` is not suggested either.
 */
export function looksLikeMarkup(text: string): boolean {
  const plain = text.normalize('NFKC')
  return MARKUP.test(plain) || LINK.test(plain) || INTERNET_ADDRESS.test(plain)
}

/**
 * Tags, entities, also percent-encoded; placeholders of templates; links of Markdown and BBCode.
 */
const MARKUP = /[<>]|%3c|%3e|&#|&\w{1,10};|\{\{|\$\{|\]\(|\[\/?(?:b|i|u|url|img|link)[\]=]/i
/** A link has a scheme, `www.`, a path, or a common top-level domain. */
const LINK =
  /:\/\/|(?:javascript|data|mailto|https?):\S|www\.|[a-z]\.[a-z]{2,10}\/|\w\.(?:com|net|org|info|biz|shop|store|online|site|xyz|top|club|app|dev|io|ru|cn|tk)(?!\w)/i
/** IPv4, and IPv6 with at least three groups. */
const INTERNET_ADDRESS =
  /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|(?:[0-9a-f]{1,4}:){3}|::[0-9a-f]{1,4}|[0-9a-f]{1,4}::/i
