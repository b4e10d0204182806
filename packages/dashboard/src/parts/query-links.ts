import { storePath } from '../shell/paths.ts'

/**
 * Links from a query: to its results, a rule for it, a synonym of it. The pages there start with
 * it.
 */
export function queryLinks(
  storeId: string,
  query: string,
): { readonly preview: string; readonly rule: string; readonly synonym: string } {
  const typed = encodeURIComponent(query === '*' ? '' : query)
  return {
    preview: `${storePath(storeId, 'preview')}?q=${typed}`,
    rule: `${storePath(storeId, 'rules')}?new=true&q=${typed}`,
    synonym: `${storePath(storeId, 'synonyms')}?item=new&word=${typed}`,
  }
}
