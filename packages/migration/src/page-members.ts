import { objectOf, textOf, type Json } from './json.ts'

/**
 * Data of a rule for the page: `banner` and `redirect` are members of rules, the rest is metadata.
 */
export function pageMembers(data: Json): Json {
  const { banner, banners, redirect, ...metadata } = data
  const target = textOf(redirect) ?? textOf(objectOf(redirect)['url'])
  return {
    ...(banner === undefined ? {} : { banner: textOf(banner) ?? objectOf(banner) }),
    ...(banners === undefined ? {} : { metadata: { ...metadata, source_banners: banners } }),
    ...(banners === undefined && Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(target === undefined || target === '' ? {} : { redirect: target }),
  }
}
