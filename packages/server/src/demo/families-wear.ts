import { family } from './family.ts'
import type { Family } from './family.ts'
import { ADULT_SIZES, SHOE_SIZES } from './vocabulary.ts'
import { words } from './words.ts'

/** Clothing and shoes. */
export const WEAR_FAMILIES: readonly Family[] = [
  family({
    noun: 'Rain Jacket',
    path: 'Clothing > Jackets > Rain Jackets',
    prefix: 'RJ',
    trade: 'wear',
    palette: 'wear',
    picture: 'jacket',
    price: [59, 399],
    kinds: `Kids', Packable, Women's, Men's, Women's 3-Layer, Men's 3-Layer`,
    materials: 'recycled nylon with a PFC-free membrane, stretch polyester, waxed cotton',
    sizes: ADULT_SIZES,
    sentences: `
      Waterproof to 20,000 mm, with taped seams and zips that keep the rain out.
      Zips under the arms let the heat go before you sweat.
      The hood fits over a helmet and turns with your head.
      Packs into its own pocket.
      Long enough to cover what gets wet first.`,
    tags: 'rain, waterproof, hiking, commute',
  }),
  family({
    noun: 'Down Jacket',
    path: 'Clothing > Jackets > Insulated Jackets',
    prefix: 'DJ',
    trade: 'wear',
    palette: 'wear',
    picture: 'jacket',
    price: [99, 449],
    kinds: `Women's Light, Men's Light, Women's Hooded, Men's Hooded, Women's Expedition, Men's Expedition`,
    materials: 'goose down and ripstop nylon, duck down and recycled polyester',
    sizes: ADULT_SIZES,
    sentences: `
      Filled with traceable down of 700 cuin: much warmth, hardly any weight.
      Chambers that keep the down where it belongs.
      A high collar, warm pockets, cuffs without a gap.
      Fits under a shell when the weather turns.`,
    tags: 'winter, warm, light, packable',
  }),
  family({
    noun: 'Fleece Jacket',
    path: 'Clothing > Jackets > Fleece',
    prefix: 'FJ',
    trade: 'wear',
    palette: 'wear',
    picture: 'jacket',
    price: [39, 169],
    kinds: `Kids', Women's Half-Zip, Men's Half-Zip, Women's Hooded, Men's Hooded, Women's Sherpa`,
    materials: 'recycled fleece, grid fleece, wool-blend fleece',
    sizes: ADULT_SIZES,
    sentences: `
      Soft on both sides, and it stays that way after fifty washes.
      Two pockets with zips hold the small things.
      Dries over night on a chair.
      Flat seams do not rub under a rucksack.`,
    tags: 'warm, midlayer, everyday',
  }),
  family({
    noun: 'Merino T-Shirt',
    path: 'Clothing > Base Layers > T-Shirts',
    prefix: 'MT',
    trade: 'wear',
    palette: 'wear',
    picture: 'shirt',
    price: [39, 99],
    kinds: `Women's 150, Men's 150, Women's 200, Men's 200, Women's Long-Sleeve, Men's Long-Sleeve`,
    materials: 'merino wool, merino and Tencel, merino and silk',
    sizes: ADULT_SIZES,
    sentences: `
      Warm when it is cold, cool when it is warm, and fresh after three days.
      Wool from farms that treat their sheep well, with papers to prove it.
      Wash at 30 degrees, hang it up, wear it again.
      Cut a little longer in the back.`,
    tags: 'merino, travel, base layer',
  }),
  family({
    noun: 'Hiking Trousers',
    path: 'Clothing > Trousers > Hiking Trousers',
    prefix: 'HT',
    trade: 'wear',
    palette: 'outdoor',
    picture: 'trousers',
    price: [49, 199],
    kinds: `Women's Zip-Off, Men's Zip-Off, Women's Stretch, Men's Stretch, Women's Softshell, Men's Softshell`,
    materials: 'stretch nylon, organic cotton and polyester, softshell',
    sizes: ADULT_SIZES,
    sentences: `
      Stretch where you bend, double cloth where you sit.
      Six pockets, two of them with zips.
      Water and mud run off.
      The waist adjusts without a belt.`,
    tags: 'hiking, climbing, stretch',
  }),
  family({
    noun: 'Wool Sweater',
    path: 'Clothing > Sweaters > Wool',
    prefix: 'WS',
    trade: 'wear',
    palette: 'wear',
    picture: 'shirt',
    price: [69, 219],
    kinds: `Women's Crew-Neck, Men's Crew-Neck, Women's Roll-Neck, Men's Fisherman, Women's Cardigan`,
    materials: 'lambswool, merino wool, alpaca and wool, organic cotton and wool',
    sizes: ADULT_SIZES,
    sentences: `
      Knitted in one piece, so there is no seam to scratch.
      A rib that keeps its shape at cuffs and hem.
      Spun and dyed by a mill that has done nothing else since 1897.
      Warm enough to leave the jacket at home.`,
    tags: 'winter, warm, knitwear',
  }),
  family({
    noun: 'Socks',
    path: 'Clothing > Accessories > Socks',
    prefix: 'SX',
    trade: 'wear',
    palette: 'wear',
    picture: 'boot',
    price: [9, 29],
    kinds: 'Everyday, Running, Hiking, Merino Hiking, Ski',
    materials: 'merino wool, organic cotton, bamboo viscose',
    sizes: words('35-38, 39-42, 43-46'),
    sentences: `
      Padded at heel and toe, and thin where the shoe is tight.
      No seam at the toes.
      Stays up without a mark on your leg.`,
    tags: 'hiking, running, gift',
  }),
  family({
    noun: 'Beanie',
    path: 'Clothing > Accessories > Hats',
    prefix: 'BN',
    trade: 'wear',
    palette: 'wear',
    picture: 'hat',
    price: [15, 59],
    kinds: 'Ribbed, Fleece-Lined, Pom-Pom, Slouch, Cashmere',
    materials: 'merino wool, recycled acrylic, lambswool, cashmere',
    sentences: `
      Covers the ears and fits under a helmet.
      Double knit, so that the wind stays outside.
      One size for nearly all heads.`,
    tags: 'winter, warm, gift',
  }),
  family({
    noun: 'Gloves',
    path: 'Clothing > Accessories > Gloves',
    prefix: 'GL',
    trade: 'wear',
    palette: 'wear',
    picture: 'hat',
    price: [19, 129],
    kinds: 'Liner, Touchscreen, Cycling, Waterproof, Ski, Leather',
    materials: 'merino wool, softshell, goat leather, recycled polyester',
    sizes: words('S, M, L, XL'),
    sentences: `
      Thumb and finger work on a screen.
      A grip that holds ropes, bars and shovels.
      Leashes keep them on your wrist on the lift.`,
    tags: 'winter, warm, cycling',
  }),
  family({
    noun: 'Hiking Boots',
    path: 'Shoes > Hiking > Boots',
    prefix: 'HB',
    trade: 'wear',
    palette: 'outdoor',
    picture: 'boot',
    price: [89, 329],
    kinds: `Kids', Women's Mid, Men's Mid, Women's Leather, Men's Leather, Women's Alpine, Men's Alpine`,
    materials: 'full-grain leather, nubuck, recycled mesh',
    sizes: SHOE_SIZES,
    sentences: `
      A sole that grips wet rock, and a rubber edge against scree.
      The waterproof lining breathes on long climbs.
      Can be resoled by any good cobbler.
      Soft round the ankle, firm under the foot, and no breaking in.`,
    tags: 'hiking, trekking, waterproof',
  }),
  family({
    noun: 'Trail Running Shoes',
    path: 'Shoes > Running > Trail',
    prefix: 'RS',
    trade: 'wear',
    palette: 'ride',
    picture: 'boot',
    price: [79, 189],
    kinds: `Women's Easy, Men's Easy, Women's Mountain, Men's Mountain, Women's Ultra, Men's Ultra`,
    materials: 'recycled mesh, Matryx mesh, seamless knit',
    sizes: SHOE_SIZES,
    sentences: `
      Five-millimetre lugs bite into mud and let go of it again.
      A drop of six millimetres and a foam that comes back after every step.
      Quick laces tuck away.
      A plate in the forefoot keeps sharp stones from your feet.`,
    tags: 'running, trail, light',
  }),
  family({
    noun: 'Sandals',
    path: 'Shoes > Summer > Sandals',
    prefix: 'SD',
    trade: 'wear',
    palette: 'outdoor',
    picture: 'boot',
    price: [39, 129],
    kinds: `Kids', Women's City, Men's City, Women's Trekking, Men's Trekking`,
    materials: 'recycled webbing, nubuck, vegetable-tanned leather',
    sizes: SHOE_SIZES,
    sentences: `
      Three straps adjust to any foot.
      The cork bed takes your shape within a week.
      Dries before the next bend of the river.`,
    tags: 'summer, travel, beach',
  }),
]
