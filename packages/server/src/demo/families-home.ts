import { family } from './family.ts'
import type { Family } from './family.ts'

/** Living, sleeping and the garden. */
export const HOME_FAMILIES: readonly Family[] = [
  family({
    noun: 'Throw Blanket',
    path: 'Home > Living > Textiles',
    prefix: 'TB',
    trade: 'living',
    palette: 'living',
    picture: 'rug',
    price: [29, 219],
    kinds: 'Cotton, Fringed, Waffle, Wool, Chunky-Knit, Alpaca',
    materials: 'lambswool, organic cotton, alpaca, recycled wool',
    measures: '130 x 170 cm, 150 x 200 cm, 180 x 220 cm',
    sentences: `
      Large enough for two on the sofa.
      Woven on looms that are older than we are.
      Airing is enough; wash it by hand once a year.
      A fringe at both ends, knotted by hand.`,
    tags: 'sofa, warm, gift',
  }),
  family({
    noun: 'Cushion',
    path: 'Home > Living > Textiles',
    prefix: 'CU',
    trade: 'living',
    palette: 'living',
    picture: 'cushion',
    price: [15, 89],
    kinds: 'Plain, Striped, Velvet, Embroidered, Bouclé',
    materials: 'linen, cotton velvet, wool bouclé, organic cotton',
    measures: '40 x 40 cm, 50 x 50 cm, 40 x 60 cm',
    sentences: `
      The cover comes off by a hidden zip and goes into the wash.
      Filled with feathers, plump and heavy.
      Piped edges keep the corners sharp.`,
    tags: 'sofa, bedroom, colour',
  }),
  family({
    noun: 'Rug',
    path: 'Home > Living > Rugs',
    prefix: 'RG',
    trade: 'living',
    palette: 'living',
    picture: 'rug',
    price: [49, 699],
    kinds: 'Cotton, Jute, Flat-Weave, Berber, Hand-Knotted',
    materials: 'wool, jute, recycled PET, cotton',
    measures: '60 x 120 cm, 120 x 180 cm, 160 x 230 cm, 200 x 300 cm',
    sentences: `
      Quiet underfoot and easy to brush.
      The pattern was drawn by hand and is woven, not printed.
      Fit for underfloor heating; a non-slip mat is included.
      Reversible: turn it over when the dog has been.`,
    tags: 'floor, living room, bedroom',
  }),
  family({
    noun: 'Table Lamp',
    path: 'Home > Living > Lighting',
    prefix: 'TL',
    trade: 'living',
    palette: 'wood',
    picture: 'lamp',
    price: [35, 249],
    kinds: 'Bedside, Clip-On, Portable, Ceramic, Arc, Dimmable',
    materials: 'powder-coated steel, ceramic and linen, oak and brass, mouth-blown glass',
    sentences: `
      Light that is warm without being dim.
      A textile cable of two metres with a switch in the middle.
      Takes an E27 bulb, which comes with it.
      Touch it once, twice, three times: three levels of light.`,
    tags: 'light, bedroom, desk',
  }),
  family({
    noun: 'Bookshelf',
    path: 'Home > Furniture > Shelves',
    prefix: 'BS',
    trade: 'living',
    palette: 'wood',
    picture: 'table',
    price: [59, 599],
    kinds: 'Wall, Ladder, Low, Modular, Tall',
    materials: 'solid oak, solid walnut, birch plywood, powder-coated steel',
    measures: '60 cm, 80 cm, 120 cm',
    sentences: `
      Boards that do not sag under encyclopaedias.
      Goes together with one key in half an hour.
      Oiled, not varnished: scratches sand out.
      Fixes to the wall with the bracket in the box.`,
    tags: 'storage, office, living room',
  }),
  family({
    noun: 'Dining Chair',
    path: 'Home > Furniture > Chairs',
    prefix: 'DC',
    trade: 'living',
    palette: 'wood',
    picture: 'chair',
    price: [69, 389],
    kinds: 'Stackable, Spindle-Back, Upholstered, Cane, Bentwood',
    materials: 'solid oak, bentwood beech, ash and paper cord, steel and leather',
    sentences: `
      A back that follows yours, through soup, main course and cheese.
      Felt glides are on, the floor is safe.
      Tested for 20 years of dinners.`,
    tags: 'dining room, kitchen, wood',
  }),
  family({
    noun: 'Desk',
    path: 'Home > Furniture > Tables',
    prefix: 'DK',
    trade: 'living',
    palette: 'wood',
    picture: 'table',
    price: [119, 899],
    kinds: 'Folding, Wall-Mounted, Writing, Corner, Standing',
    materials: 'solid oak, bamboo, birch plywood, walnut veneer',
    measures: '100 cm, 120 cm, 140 cm, 160 cm',
    sentences: `
      A tray under the top hides cables and their adapters.
      Moves from sitting to standing in nine seconds, and remembers four heights.
      One flat drawer for pens, another for everything else.`,
    tags: 'office, home office, study',
  }),
  family({
    noun: 'Duvet Cover Set',
    path: 'Home > Bedroom > Bedding',
    prefix: 'DV',
    trade: 'living',
    palette: 'living',
    picture: 'cushion',
    price: [39, 249],
    kinds: 'Cotton, Jersey, Percale, Satin, Washed-Linen',
    materials: 'organic cotton, washed linen, Tencel, cotton satin',
    measures: '135 x 200 cm, 155 x 220 cm, 200 x 220 cm, 240 x 220 cm',
    sentences: `
      Cool in summer and warm in winter, and no iron needed.
      Closes with buttons of mother-of-pearl.
      With one pillow case, or two for the double sizes.`,
    tags: 'bedroom, sleep, gift',
  }),
  family({
    noun: 'Bath Towels',
    path: 'Home > Bathroom > Towels',
    prefix: 'BT',
    trade: 'living',
    palette: 'living',
    picture: 'rug',
    price: [15, 89],
    kinds: 'Set of 2, Hammam Set of 2, Waffle Set of 2, Set of 4, Thick Set of 4',
    materials: 'organic cotton, cotton and linen, bamboo and cotton',
    measures: '50 x 100 cm, 70 x 140 cm, 100 x 150 cm',
    sentences: `
      600 grams to the square metre, and still dry by the evening.
      A loop on the short side, where it belongs.
      Wash at 60 degrees before first use.`,
    tags: 'bathroom, soft, gift',
  }),
  family({
    noun: 'Scented Candle',
    path: 'Home > Living > Decoration',
    prefix: 'SC',
    trade: 'living',
    palette: 'living',
    picture: 'cup',
    price: [9, 49],
    kinds: 'Fig, Cedarwood, Sea Salt, Lavender, Orange & Clove, Pine Forest',
    materials: 'soy wax, rapeseed wax, beeswax',
    measures: '100 g, 200 g, 400 g',
    sentences: `
      Burns for 45 hours with a wick of cotton.
      Fills a room without shouting.
      The glass is a good tumbler afterwards.`,
    tags: 'gift, fragrance, decoration',
  }),
  family({
    noun: 'Planter',
    path: 'Garden > Pots & Planters',
    prefix: 'PT',
    trade: 'garden',
    palette: 'garden',
    picture: 'pot',
    price: [12, 149],
    kinds: 'Indoor, Hanging, Self-Watering, Raised, Frost-Proof, Trough',
    materials: 'terracotta, fibre clay, recycled plastic, galvanised steel, glazed stoneware',
    measures: '15 cm, 20 cm, 30 cm, 40 cm, 60 cm',
    sentences: `
      Survives a winter on the balcony.
      A hole for the water and a saucer to catch it.
      The reservoir waters for two weeks of holiday.
      Light enough to move when the sun does.`,
    tags: 'plants, balcony, indoor',
  }),
  family({
    noun: 'Secateurs',
    path: 'Garden > Tools > Pruning',
    prefix: 'SE',
    trade: 'garden',
    palette: 'garden',
    picture: 'tool',
    price: [15, 89],
    kinds: 'Anvil, Bypass, Ratchet, Left-Handed, Professional',
    materials: 'carbon steel, forged aluminium and steel, stainless steel',
    measures: '18 cm, 20 cm, 22 cm',
    sentences: `
      Cuts green wood up to 25 mm without a sound.
      Every part can be replaced, the spring as well.
      A notch for wire saves the blade.`,
    tags: 'pruning, roses, sharp',
  }),
  family({
    noun: 'Garden Fork',
    path: 'Garden > Tools > Digging',
    prefix: 'GF',
    trade: 'garden',
    palette: 'wood',
    picture: 'tool',
    price: [12, 99],
    kinds: `Hand, Kids', Border, Weeding, Digging`,
    materials: 'stainless steel and ash, forged carbon steel and ash, steel and fibreglass',
    sentences: `
      Four tines that do not bend on the first stone.
      A handle of ash, turned and oiled.
      Polished steel lets even clay go.`,
    tags: 'digging, vegetables, allotment',
  }),
  family({
    noun: 'Watering Can',
    path: 'Garden > Watering',
    prefix: 'WC',
    trade: 'garden',
    palette: 'garden',
    picture: 'pot',
    price: [12, 79],
    kinds: `Kids', Indoor, Long-Spout, Galvanised, Copper`,
    materials: 'galvanised steel, recycled plastic, copper, powder-coated steel',
    measures: '1 l, 2.5 l, 5 l, 10 l',
    sentences: `
      The rose of brass rains softly on seedlings.
      Balanced, full or empty.
      A long spout reaches the back of the shelf.`,
    tags: 'plants, watering, balcony',
  }),
  family({
    noun: 'Garden Bench',
    path: 'Garden > Furniture',
    prefix: 'GB',
    trade: 'garden',
    palette: 'wood',
    picture: 'table',
    price: [89, 649],
    kinds: 'Folding, Two-Seater, Storage, Three-Seater, Teak',
    materials: 'certified teak, acacia, powder-coated aluminium, cast iron and oak',
    measures: '120 cm, 150 cm, 180 cm',
    sentences: `
      Turns silver grey with the years, or stays as it is with oil.
      Screws of stainless steel leave no stains.
      Holds three friends and a cat.`,
    tags: 'patio, outdoor furniture, wood',
  }),
  family({
    noun: 'Fire Bowl',
    path: 'Garden > Fire & Grill',
    prefix: 'FB',
    trade: 'garden',
    palette: 'garden',
    picture: 'pot',
    price: [49, 399],
    kinds: 'Portable, Steel, Tripod, Grill, Smokeless',
    materials: 'raw steel, corten steel, cast iron, enamelled steel',
    measures: '40 cm, 60 cm, 80 cm',
    sentences: `
      Logs of half a metre fit without sawing.
      A ring of air burns the smoke away.
      The rust is meant to be there: it protects what is below.`,
    tags: 'patio, evening, grill',
  }),
]
