/** An invented brand: its trade, its price level and the names of its product lines. */
export interface Brand {
  readonly name: string
  readonly trade: Trade
  /** Price level: 1 is the middle of the market. */
  readonly level: number
  readonly lines: readonly string[]
}

export type Trade = 'camp' | 'wear' | 'ride' | 'kitchen' | 'living' | 'garden'

function brand(name: string, trade: Trade, level: number, lineNames: string): Brand {
  return { name, trade, level, lines: words(lineNames) }
}

export const BRANDS: readonly Brand[] = [
  brand('Northfold', 'camp', 1.15, 'Tarn, Ridgeline, Skye, Cairn, Fjell, Aurora, Halden'),
  brand('Tarrow & Pine', 'camp', 0.95, 'Wayfarer, Pinecrest, Lodge, Timber, Campfire, Hollow'),
  brand('Altiva', 'camp', 1.3, 'Summit, Vertex, Nordwand, Bivy, Col, Serac, Crux'),
  brand('Campwell', 'camp', 0.75, 'Easy, Weekend, Family, Basic, Trailside, Holiday'),
  brand('Ostra', 'camp', 1.05, 'Drift, Kelp, Lagoon, Shoal, Beacon, Harbor'),
  brand('Brackenridge', 'camp', 0.9, 'Moor, Heather, Fell, Bramble, Thistle, Dale'),
  brand('Fernhollow', 'wear', 1, 'Meadow, Rowan, Birch, Willow, Alder, Sorrel'),
  brand('Kestrel Peak', 'wear', 1.25, 'Talon, Updraft, Thermal, Glide, Aerie, Stoop'),
  brand('Lumi', 'wear', 0.9, 'Polar, Frost, Snowdrift, Kaamos, Midnight, Sauna'),
  brand('Stonewater', 'wear', 1.1, 'Creek, Rapids, Delta, Basin, Headwater, Eddy'),
  brand('Wolden', 'wear', 0.8, 'Path, Trek, Ramble, Stile, Meander, Lane'),
  brand('Merrin Wool Co.', 'wear', 1.2, 'Shetland, Drysdale, Romney, Texel, Corrie, Islay'),
  brand('Velora', 'ride', 1.1, 'Corsa, Breakaway, Peloton, Crit, Sprint, Gravelo'),
  brand('Rundmann', 'ride', 1, 'Kurier, Pendler, Allweg, Tour, Stadt, Rad'),
  brand('Spoke & Hollow', 'ride', 0.85, 'Commuter, Canal, Towpath, Junction, Metro, Errand'),
  brand('Paddlecraft', 'ride', 1.15, 'Inlet, Estuary, Mistral, Swell, Current, Reef'),
  brand('Kettleby', 'kitchen', 1, 'Heritage, Copperline, Farmhouse, Larder, Scullery, Pantry'),
  brand('Casa Mirto', 'kitchen', 1.2, 'Salvia, Rosmarino, Oliva, Limone, Basilico, Finocchio'),
  brand('Graystone Kitchen', 'kitchen', 0.85, 'Everyday, Chef, Prep, Bistro, Simmer, Studio'),
  brand('Hearth & Vale', 'kitchen', 1.1, 'Ember, Glow, Kindle, Ash, Cinder, Embrace'),
  brand('Aoi', 'kitchen', 1.35, 'Kumo, Hana, Sora, Yama, Nami, Mori'),
  brand('Linden & Loom', 'living', 1.1, 'Selvedge, Heddle, Warp, Shuttle, Treadle, Weft'),
  brand('Morrow Home', 'living', 0.9, 'Haven, Nest, Quiet, Sunday, Parlor, Alcove'),
  brand('Eskil Bo', 'living', 1.2, 'Lund, Aker, Vik, Holm, Strand, Fjord'),
  brand('Dovecote', 'living', 0.8, 'Cottage, Daisy, Primrose, Clover, Bluebell, Poppy'),
  brand('Solhus', 'living', 1.05, 'Lys, Skygge, Stille, Dag, Kveld, Morgen'),
  brand('Greenthumb Works', 'garden', 0.9, 'Allotment, Potting, Seedling, Border, Orchard, Plot'),
  brand(
    'Hawthorn & Hare',
    'garden',
    1.15,
    'Hedgerow, Walled, Kitchen Garden, Glasshouse, Terrace, Lawn',
  ),
  brand('Terravio', 'garden', 1, 'Patio, Loggia, Pergola, Cortile, Veranda, Giardino'),
]

/** A colour: its name in the shop and its value in pictures. */
export interface Color {
  readonly name: string
  readonly hex: string
}

function palette(list: string): readonly Color[] {
  return words(list).map((entry) => {
    const at = entry.lastIndexOf(' ')
    return { name: entry.slice(0, at), hex: entry.slice(at + 1) }
  })
}

export const PALETTES = {
  outdoor: palette(
    `Moss Green #5b6b3a, Slate Grey #5c6670, Burnt Orange #c65d21, Sand #cdb891, Navy #22304f,
    Pine #2f5443, Rust #a4482a, Sky Blue #6fa8d6, Charcoal #34383c`,
  ),
  wear: palette(
    `Black #1e1e20, Navy #22304f, Forest #2e5339, Heather Grey #9a9da1, Mustard #d1a02b, Burgundy #6e2236,
    Teal #1f7a7a, Cream #efe6d2, Berry #8f2f57, Ocean Blue #2b6ca3`,
  ),
  ride: palette(
    `Black #1e1e20, White #f2f2ef, Red #b8292f, Neon Yellow #d7e32b, Racing Blue #1d4fa0, Silver #b9bdc1,
    Orange #e0702a, Turquoise #2aa7a1`,
  ),
  kitchen: palette(
    `Black #1e1e20, Cream #efe6d2, Cherry Red #a31f2c, Sage #8fa184, Copper #b4703f, Stainless #b9bdc1,
    Ocean Blue #2b6ca3, White #f2f2ef`,
  ),
  living: palette(
    `Natural #d8c7a8, Oatmeal #dccfb9, Dusty Rose #c99a96, Sage #8fa184, Indigo #37456f, Terracotta #bf6a48,
    Charcoal #34383c, Off-White #f4f0e6, Ochre #c8943a`,
  ),
  wood: palette('Oak #c49a6c, Walnut #6b4a33, White #f2f2ef, Black #1e1e20, Ash #d9c5a0'),
  garden: palette(
    `Terracotta #bf6a48, Anthracite #383c40, Sage #8fa184, Stone #b3aa9b, Forest #2e5339, Cream #efe6d2,
    Sky Blue #6fa8d6`,
  ),
} as const satisfies Record<string, readonly Color[]>

export type PaletteName = keyof typeof PALETTES

/** First sentences. They must read well for one thing and for several (socks, bowls). */
export const OPENINGS = lines(`
  One of the first things we reach for ourselves.
  Simple, sturdy and easy to live with.
  {brand} made the {line} for people who use their things every day.
  Thoughtfully made and built to last: the {line} does one job and does it well.
  The {line} series returns with small changes that make a big difference.
  Few frills, good materials: the {line} shows what {brand} does best.
  Designed together with the people who test our gear all year round.
  The {line} combines a clean look with details you notice only in use.
  Made for years of use, not for one season.
  A favourite of our staff, and a good first choice.
  The newest of the {line} family keeps what worked and drops the rest.
  An honest choice at a fair price.
  Asked for often, sold out twice, and back again: the {brand} {line}.
`)

export const MATERIAL_SENTENCES = lines(`
  Made of {material}.
  Made of {material} from suppliers we know by name.
  {material}, because it wears well and is easy to care for.
  In {material}, for long wear.
  We chose {material} after trying a good many others.
`)

export const CLOSINGS = lines(`
  Two-year guarantee, spare parts available.
  Repairable: every part can be ordered on its own.
  Packed without plastic.
  Arrives ready to use.
  Makes a good present.
  Five-year guarantee.
  Care instructions are on the label.
  Made in small batches.
  Free return within 60 days.
  Tested by our own team before it went into the shop.
`)

/** Labels for products of any kind. */
export const SHARED_TAGS = words(
  'bestseller, gift idea, staff pick, recycled, vegan, made in europe, repairable, sale favourite, limited edition',
)

/** Splits 'a, b, c' into ['a', 'b', 'c'], so that lists of words read like lists in the source. */
export function words(list: string): readonly string[] {
  return list
    .split(',')
    .map((word) => word.trim().replaceAll(/\s+/g, ' '))
    .filter((word) => word !== '')
}

/** Splits a text with one sentence or phrase per line. */
export function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
