import type { PaletteName, Trade } from './vocabulary.ts'
import { lines, words } from './words.ts'

/** A group of similar products, with what they have in common. */
export interface Family {
  /** Last word of a title: `Tent`. */
  readonly noun: string
  /** Path in the category tree, the widest first. */
  readonly path: readonly string[]
  /** First letters of part numbers. */
  readonly prefix: string
  readonly trade: Trade
  readonly palette: PaletteName
  readonly picture: PictureName
  /** Prices from the cheapest kind to the most expensive, at price level 1. */
  readonly price: readonly [low: number, high: number]
  /** Kinds of the product, the cheapest first; titles have one before the noun. */
  readonly kinds: readonly string[]
  readonly materials: readonly string[]
  /** Sizes that one product is available in (clothing). */
  readonly sizes: readonly string[]
  /** Measures, the cheapest first; each product has one (26 cm), in its title. */
  readonly measures: readonly string[]
  readonly sentences: readonly string[]
  readonly tags: readonly string[]
}

export const PICTURE_NAMES = [
  'tent',
  'bag',
  'pack',
  'lamp',
  'bottle',
  'boot',
  'shirt',
  'jacket',
  'trousers',
  'hat',
  'wheel',
  'pan',
  'knife',
  'cup',
  'board',
  'cushion',
  'chair',
  'table',
  'pot',
  'tool',
  'rug',
] as const
export type PictureName = (typeof PICTURE_NAMES)[number]

/** A `Family` whose lists are written as text. */
export interface FamilyText {
  readonly noun: string
  /** `Outdoor > Camping > Tents` */
  readonly path: string
  readonly prefix: string
  readonly trade: Trade
  readonly palette: PaletteName
  readonly picture: PictureName
  readonly price: readonly [low: number, high: number]
  readonly kinds: string
  readonly materials: string
  readonly sizes?: readonly string[]
  readonly measures?: string
  readonly sentences: string
  readonly tags: string
}

export function family(text: FamilyText): Family {
  return {
    ...text,
    path: text.path.split(' > '),
    kinds: words(text.kinds),
    materials: words(text.materials),
    sizes: text.sizes ?? [],
    measures: words(text.measures ?? ''),
    sentences: lines(text.sentences),
    tags: words(text.tags),
  }
}
