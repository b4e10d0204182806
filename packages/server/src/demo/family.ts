import type { PaletteName, Trade } from './vocabulary.ts'
import { lines, words } from './words.ts'

/** What a group of similar products has in common. */
export interface Family {
  /** As it ends a title: `Tent`. */
  readonly noun: string
  /** Path in the category tree, the widest first. */
  readonly path: readonly string[]
  /** First letters of part numbers. */
  readonly prefix: string
  readonly trade: Trade
  readonly palette: PaletteName
  readonly picture: PictureName
  /** From the cheapest kind to the dearest, at price level 1. */
  readonly price: readonly [low: number, high: number]
  /** Kinds of the product, the cheapest first: they stand before the noun in titles. */
  readonly kinds: readonly string[]
  readonly materials: readonly string[]
  /** All of them are on offer in one product (clothing). */
  readonly sizes: readonly string[]
  /** One of them is the product's own (26 cm), the cheapest first; it stands in the title. */
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

/** The same as a `Family`, with its lists written as text. */
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
