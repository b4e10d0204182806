import { families } from './family.ts'

/** Living, sleeping and the garden. */
export const HOME_FAMILIES = families(`
  TB | Throw Blanket | Home > Living > Textiles | living | living | rug | 29-219
  kinds: Cotton, Fringed, Waffle, Wool, Chunky-Knit, Alpaca
  materials: lambswool, organic cotton, alpaca, recycled wool
  measures: 130 x 170 cm, 150 x 200 cm, 180 x 220 cm
  tags: sofa, warm, gift
  Large enough for two on the sofa.
  Woven on looms that are older than we are.
  Airing is enough; wash it by hand once a year.
  A fringe at both ends, knotted by hand.

  CU | Cushion | Home > Living > Textiles | living | living | cushion | 15-89
  kinds: Plain, Striped, Velvet, Embroidered, Bouclé
  materials: linen, cotton velvet, wool bouclé, organic cotton
  measures: 40 x 40 cm, 50 x 50 cm, 40 x 60 cm
  tags: sofa, bedroom, colour
  The cover comes off by a hidden zip and goes into the wash.
  Filled with feathers, plump and heavy.
  Piped edges keep the corners sharp.

  RG | Rug | Home > Living > Rugs | living | living | rug | 49-699
  kinds: Cotton, Jute, Flat-Weave, Berber, Hand-Knotted
  materials: wool, jute, recycled PET, cotton
  measures: 60 x 120 cm, 120 x 180 cm, 160 x 230 cm, 200 x 300 cm
  tags: floor, living room, bedroom
  Quiet underfoot and easy to brush.
  The pattern was drawn by hand and is woven, not printed.
  Fit for underfloor heating; a non-slip mat is included.
  Reversible: turn it over when the dog has been.

  TL | Table Lamp | Home > Living > Lighting | living | wood | lamp | 35-249
  kinds: Bedside, Clip-On, Portable, Ceramic, Arc, Dimmable
  materials: powder-coated steel, ceramic and linen, oak and brass, mouth-blown glass
  tags: light, bedroom, desk
  Light that is warm without being dim.
  A textile cable of two metres with a switch in the middle.
  Takes an E27 bulb, which comes with it.
  Touch it once, twice, three times: three levels of light.

  BS | Bookshelf | Home > Furniture > Shelves | living | wood | shelf | 59-599
  kinds: Wall, Ladder, Low, Modular, Tall
  materials: solid oak, solid walnut, birch plywood, powder-coated steel
  measures: 60 cm, 80 cm, 120 cm
  tags: storage, office, living room
  Boards that do not sag under encyclopaedias.
  Goes together with one key in half an hour.
  Oiled, not varnished: scratches sand out.
  Fixes to the wall with the bracket in the box.

  DC | Dining Chair | Home > Furniture > Chairs | living | wood | chair | 69-389
  kinds: Stackable, Spindle-Back, Upholstered, Cane, Bentwood
  materials: solid oak, bentwood beech, ash and paper cord, steel and leather
  tags: dining room, kitchen, wood
  A back that follows yours, through soup, main course and cheese.
  Felt glides are on, the floor is safe.
  Tested for 20 years of dinners.

  DK | Desk | Home > Furniture > Tables | living | wood | table | 119-899
  kinds: Folding, Wall-Mounted, Writing, Corner, Standing
  materials: solid oak, bamboo, birch plywood, walnut veneer
  measures: 100 cm, 120 cm, 140 cm, 160 cm
  tags: office, home office, study
  A tray under the top hides cables and their adapters.
  Moves from sitting to standing in nine seconds, and remembers four heights.
  One flat drawer for pens, another for everything else.

  DV | Duvet Cover Set | Home > Bedroom > Bedding | living | living | cushion | 39-249
  kinds: Cotton, Jersey, Percale, Satin, Washed-Linen
  materials: organic cotton, washed linen, Tencel, cotton satin
  measures: 135 x 200 cm, 155 x 220 cm, 200 x 220 cm, 240 x 220 cm
  tags: bedroom, sleep, gift
  Cool in summer and warm in winter, and no iron needed.
  Closes with buttons of mother-of-pearl.
  With one pillow case, or two for the double sizes.

  BT | Bath Towels | Home > Bathroom > Towels | living | living | rug | 15-89
  kinds: Set of 2, Hammam Set of 2, Waffle Set of 2, Set of 4, Thick Set of 4
  materials: organic cotton, cotton and linen, bamboo and cotton
  measures: 50 x 100 cm, 70 x 140 cm, 100 x 150 cm
  tags: bathroom, soft, gift
  600 grams to the square metre, and still dry by the evening.
  A loop on the short side, where it belongs.
  Wash at 60 degrees before first use.

  SC | Scented Candle | Home > Living > Decoration | living | living | candle | 9-49
  kinds: Fig, Cedarwood, Sea Salt, Lavender, Orange & Clove, Pine Forest
  materials: soy wax, rapeseed wax, beeswax
  measures: 100 g, 200 g, 400 g
  tags: gift, fragrance, decoration
  Burns for 45 hours with a wick of cotton.
  Fills a room without shouting.
  The glass is a good tumbler afterwards.

  PT | Planter | Garden > Pots & Planters | garden | garden | pot | 12-149
  kinds: Indoor, Hanging, Self-Watering, Raised, Frost-Proof, Trough
  materials: terracotta, fibre clay, recycled plastic, galvanised steel, glazed stoneware
  measures: 15 cm, 20 cm, 30 cm, 40 cm, 60 cm
  tags: plants, balcony, indoor
  Survives a winter on the balcony.
  A hole for the water and a saucer to catch it.
  The reservoir waters for two weeks of holiday.
  Light enough to move when the sun does.

  SE | Secateurs | Garden > Tools > Pruning | garden | garden | tool | 15-89
  kinds: Anvil, Bypass, Ratchet, Left-Handed, Professional
  materials: carbon steel, forged aluminium and steel, stainless steel
  measures: 18 cm, 20 cm, 22 cm
  tags: pruning, roses, sharp
  Cuts green wood up to 25 mm without a sound.
  Every part can be replaced, the spring as well.
  A notch for wire saves the blade.

  GF | Garden Fork | Garden > Tools > Digging | garden | wood | tool | 12-99
  kinds: Hand, Kids', Border, Weeding, Digging
  materials: stainless steel and ash, forged carbon steel and ash, steel and fibreglass
  tags: digging, vegetables, allotment
  Four tines that do not bend on the first stone.
  A handle of ash, turned and oiled.
  Polished steel lets even clay go.

  WC | Watering Can | Garden > Watering | garden | garden | can | 12-79
  kinds: Kids', Indoor, Long-Spout, Galvanised, Copper
  materials: galvanised steel, recycled plastic, copper, powder-coated steel
  measures: 1 l, 2.5 l, 5 l, 10 l
  tags: plants, watering, balcony
  The rose of brass rains softly on seedlings.
  Balanced, full or empty.
  A long spout reaches the back of the shelf.

  GB | Garden Bench | Garden > Furniture | garden | wood | table | 89-649
  kinds: Folding, Two-Seater, Storage, Three-Seater, Teak
  materials: certified teak, acacia, powder-coated aluminium, cast iron and oak
  measures: 120 cm, 150 cm, 180 cm
  tags: patio, outdoor furniture, wood
  Turns silver grey with the years, or stays as it is with oil.
  Screws of stainless steel leave no stains.
  Holds three friends and a cat.

  FB | Fire Bowl | Garden > Fire & Grill | garden | garden | fireBowl | 49-399
  kinds: Portable, Steel, Tripod, Grill, Smokeless
  materials: raw steel, corten steel, cast iron, enamelled steel
  measures: 40 cm, 60 cm, 80 cm
  tags: patio, evening, grill
  Logs of half a metre fit without sawing.
  A ring of air burns the smoke away.
  The rust is meant to be there: it protects what is below.
`)
