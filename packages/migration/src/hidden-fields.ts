import type { MigrationDraft } from './migration.ts'

/**
 * The fields missing from a list of shown fields, except those inside a missing object.
 *
 * @param shown paths of fields or objects; `*` means all, `-cost` removes one
 */
export function leftOutOf(paths: readonly string[], shown: readonly string[]): string[] {
  const named = shown.filter((one) => !one.startsWith('-'))
  const taken = shown.filter((one) => one.startsWith('-')).map((one) => one.slice(1))
  const isShown = (path: string): boolean =>
    named.includes('*') ||
    named.some((one) => one === path || isInside(path, one) || isInside(one, path))
  const isHidden = (path: string): boolean =>
    !isShown(path) || taken.some((one) => one === path || isInside(path, one))
  const hidden = paths.filter(isHidden)
  return hidden.filter((path) => !hidden.some((other) => isInside(path, other)))
}

function isInside(path: string, object: string): boolean {
  return path.startsWith(`${object}.`)
}

/**
 * Fields that the other engine hides stay hidden from everyone who searches: the store omits them,
 * and they have only the roles that the source gives them by name.
 *
 * @param setting the setting that hides them
 * @param paths of the fields
 * @param roles roles named by the source, which reveal their values by narrowing
 */
export function hideFields(
  draft: MigrationDraft,
  setting: string,
  paths: readonly string[],
  roles: {
    readonly isFilter: (path: string) => boolean
    readonly isOrder: (path: string) => boolean
  },
): void {
  if (paths.length === 0) return
  const all = draft
    .paths()
    .filter((path) => paths.some((one) => one === path || isInside(path, one)))
  const used: string[] = []
  for (const path of paths) draft.omit(path)
  for (const path of all) {
    const [isFilter, isOrder] = [roles.isFilter(path), roles.isOrder(path)]
    draft.withoutRoles(path, [
      ...(isFilter ? [] : ['facet' as const]),
      ...(isOrder ? [] : ['sort' as const]),
    ])
    const field = draft.fieldOf(path)
    if (field?.facet === true || field?.sort === true) used.push(draft.nameOf(path))
  }
  const names = paths.map((path) => draft.nameOf(path)).join(', ')
  draft.note(
    setting,
    `hides ${names}: the setting \`omit_fields\` hides the values from everyone who searches, in facets too`,
  )
  if (used.length > 0) {
    draft.note(
      setting,
      `searches can still filter or sort by ${used.join(', ')}, which can reveal values: if these must stay secret, remove \`facet\` and \`sort\` from them in schema.yaml`,
    )
  }
}
