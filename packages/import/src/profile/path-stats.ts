import { namesOfPath, type PathMark } from '../cells/path-text.ts'

/** Maximum of names whose parents are compared. */
const NAMES_MAX = 5_000
const NAME_MAX_CHARS = 60
const LEVELS_SEEN_MAX = 20
/** Minimum share of names below a root with a single parent, for a tree. */
const TREE_SHARE_MIN = 0.8

/** Detects whether the texts of a column are paths in a category tree. */
export class PathStats {
  readonly #mark: PathMark
  /** Parent by name. */
  readonly #parents = new Map<string, string>()
  readonly #ambiguous = new Set<string>()
  readonly #roots = new Set<string>()
  #pathCount = 0
  #depth = 0
  #isLong = false
  #isNumbers = true

  constructor(mark: PathMark) {
    this.#mark = mark
  }

  add(text: string): void {
    const names = namesOfPath(text, this.#mark)
    if (names.length < 2) return
    this.#pathCount++
    this.#depth = Math.max(this.#depth, names.length)
    if (names.length > LEVELS_SEEN_MAX || names.some((name) => name.length > NAME_MAX_CHARS)) {
      this.#isLong = true
    }
    if (names.some((name) => /\p{L}{2}/u.test(name))) this.#isNumbers = false
    if (this.#roots.size < NAMES_MAX) this.#roots.add(names[0]!)
    names.slice(1).forEach((name, i) => this.#place(name, names[i]!))
  }

  #place(name: string, parent: string): void {
    const known = this.#parents.get(name)
    if (known === undefined) {
      if (this.#parents.size < NAMES_MAX) this.#parents.set(name, parent)
    } else if (known !== parent) this.#ambiguous.add(name)
  }

  /** Levels of the deepest path. */
  get depth(): number {
    return this.#depth
  }

  /**
   * Whether at least half of the values are paths with short names, few roots and a single parent
   * for each name. In a category column, paths of two names are enough. With `>`, which has no
   * other meaning there, a name may have several parents: `Men > Shoes`, `Women > Shoes`.
   *
   * @param count of all values
   * @param isCategory whether the column is named like one
   */
  isTree(count: number, isCategory: boolean): boolean {
    if (this.#pathCount * 2 < count || this.#isLong || this.#isNumbers) return false
    const nameCount = this.#parents.size
    const both = [...this.#parents.keys()].filter((name) => this.#roots.has(name)).length
    const clear = nameCount - this.#ambiguous.size - both
    const mayRepeat = isCategory && this.#mark === '>'
    if (clear < nameCount * TREE_SHARE_MIN && !mayRepeat) return false
    const hasFewRoots = this.#roots.size <= Math.max(1, nameCount / 2)
    if (isCategory) return hasFewRoots || this.#roots.size <= Math.max(2, count / 2)
    return this.#depth >= 3 && hasFewRoots && this.#roots.size * 2 <= count
  }

  copy(): PathStats {
    const copy = new PathStats(this.#mark)
    for (const [name, parent] of this.#parents) copy.#parents.set(name, parent)
    for (const name of this.#ambiguous) copy.#ambiguous.add(name)
    for (const root of this.#roots) copy.#roots.add(root)
    copy.#pathCount = this.#pathCount
    copy.#depth = this.#depth
    copy.#isLong = this.#isLong
    copy.#isNumbers = this.#isNumbers
    return copy
  }
}
