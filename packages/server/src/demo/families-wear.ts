import { families } from './family.ts'

/** Clothing and shoes. */
export const WEAR_FAMILIES = families(`
  RJ | Rain Jacket | Clothing > Jackets > Rain Jackets | wear | wear | jacket | 59-399
  kinds: Kids', Packable, Women's, Men's, Women's 3-Layer, Men's 3-Layer
  materials: recycled nylon with a PFC-free membrane, stretch polyester, waxed cotton
  sizes: XS, S, M, L, XL, XXL
  tags: rain, waterproof, hiking, commute
  Waterproof to 20,000 mm, with taped seams and zips that keep the rain out.
  Zips under the arms let the heat go before you sweat.
  The hood fits over a helmet and turns with your head.
  Packs into its own pocket.
  Long enough to cover what gets wet first.

  DJ | Down Jacket | Clothing > Jackets > Insulated Jackets | wear | wear | jacket | 99-449
  kinds: Women's Light, Men's Light, Women's Hooded, Men's Hooded, Women's Expedition, Men's Expedition
  materials: goose down and ripstop nylon, duck down and recycled polyester
  sizes: XS, S, M, L, XL, XXL
  tags: winter, warm, light, packable
  Filled with traceable down of 700 cuin: much warmth, hardly any weight.
  Chambers that keep the down where it belongs.
  A high collar, warm pockets, cuffs without a gap.
  Fits under a shell when the weather turns.

  FJ | Fleece Jacket | Clothing > Jackets > Fleece | wear | wear | jacket | 39-169
  kinds: Kids', Women's Half-Zip, Men's Half-Zip, Women's Hooded, Men's Hooded, Women's Sherpa
  materials: recycled fleece, grid fleece, wool-blend fleece
  sizes: XS, S, M, L, XL, XXL
  tags: warm, midlayer, everyday
  Soft on both sides, and it stays that way after fifty washes.
  Two pockets with zips hold the small things.
  Dries over night on a chair.
  Flat seams do not rub under a rucksack.

  MT | Merino T-Shirt | Clothing > Base Layers > T-Shirts | wear | wear | shirt | 39-99
  kinds: Women's 150, Men's 150, Women's 200, Men's 200, Women's Long-Sleeve, Men's Long-Sleeve
  materials: merino wool, merino and Tencel, merino and silk
  sizes: XS, S, M, L, XL, XXL
  tags: merino, travel, base layer
  Warm when it is cold, cool when it is warm, and fresh after three days.
  Wool from farms that treat their sheep well, with papers to prove it.
  Wash at 30 degrees, hang it up, wear it again.
  Cut a little longer in the back.

  HT | Hiking Trousers | Clothing > Trousers > Hiking Trousers | wear | outdoor | trousers | 49-199
  kinds: Women's Zip-Off, Men's Zip-Off, Women's Stretch, Men's Stretch, Women's Softshell, Men's Softshell
  materials: stretch nylon, organic cotton and polyester, softshell
  sizes: XS, S, M, L, XL, XXL
  tags: hiking, climbing, stretch
  Stretch where you bend, double cloth where you sit.
  Six pockets, two of them with zips.
  Water and mud run off.
  The waist adjusts without a belt.

  WS | Wool Sweater | Clothing > Sweaters > Wool | wear | wear | shirt | 69-219
  kinds: Women's Crew-Neck, Men's Crew-Neck, Women's Roll-Neck, Men's Fisherman, Women's Cardigan
  materials: lambswool, merino wool, alpaca and wool, organic cotton and wool
  sizes: XS, S, M, L, XL, XXL
  tags: winter, warm, knitwear
  Knitted in one piece, so there is no seam to scratch.
  A rib that keeps its shape at cuffs and hem.
  Spun and dyed by a mill that has done nothing else since 1897.
  Warm enough to leave the jacket at home.

  SX | Socks | Clothing > Accessories > Socks | wear | wear | boot | 9-29
  kinds: Everyday, Running, Hiking, Merino Hiking, Ski
  materials: merino wool, organic cotton, bamboo viscose
  sizes: 35-38, 39-42, 43-46
  tags: hiking, running, gift
  Padded at heel and toe, and thin where the shoe is tight.
  No seam at the toes.
  Stays up without a mark on your leg.

  BN | Beanie | Clothing > Accessories > Hats | wear | wear | hat | 15-59
  kinds: Ribbed, Fleece-Lined, Pom-Pom, Slouch, Cashmere
  materials: merino wool, recycled acrylic, lambswool, cashmere
  tags: winter, warm, gift
  Covers the ears and fits under a helmet.
  Double knit, so that the wind stays outside.
  One size for nearly all heads.

  GL | Gloves | Clothing > Accessories > Gloves | wear | wear | glove | 19-129
  kinds: Liner, Touchscreen, Cycling, Waterproof, Ski, Leather
  materials: merino wool, softshell, goat leather, recycled polyester
  sizes: S, M, L, XL
  tags: winter, warm, cycling
  Thumb and finger work on a screen.
  A grip that holds ropes, bars and shovels.
  Leashes keep them on your wrist on the lift.

  HB | Hiking Boots | Shoes > Hiking > Boots | wear | outdoor | boot | 89-329
  kinds: Kids', Women's Mid, Men's Mid, Women's Leather, Men's Leather, Women's Alpine, Men's Alpine
  materials: full-grain leather, nubuck, recycled mesh
  sizes: 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46
  tags: hiking, trekking, waterproof
  A sole that grips wet rock, and a rubber edge against scree.
  The waterproof lining breathes on long climbs.
  Can be resoled by any good cobbler.
  Soft round the ankle, firm under the foot, and no breaking in.

  RS | Trail Running Shoes | Shoes > Running > Trail | wear | ride | boot | 79-189
  kinds: Women's Easy, Men's Easy, Women's Mountain, Men's Mountain, Women's Ultra, Men's Ultra
  materials: recycled mesh, Matryx mesh, seamless knit
  sizes: 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46
  tags: running, trail, light
  Five-millimetre lugs bite into mud and let go of it again.
  A drop of six millimetres and a foam that comes back after every step.
  Quick laces tuck away.
  A plate in the forefoot keeps sharp stones from your feet.

  SD | Sandals | Shoes > Summer > Sandals | wear | outdoor | boot | 39-129
  kinds: Kids', Women's City, Men's City, Women's Trekking, Men's Trekking
  materials: recycled webbing, nubuck, vegetable-tanned leather
  sizes: 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46
  tags: summer, travel, beach
  Three straps adjust to any foot.
  The cork bed takes your shape within a week.
  Dries before the next bend of the river.
`)
