import { families } from './family.ts'

/** Camping, hiking, cycling and water. */
export const CAMP_FAMILIES = families(`
  TN | Tent | Outdoor > Camping > Tents | camp | outdoor | tent | 79-649
  kinds: 1-Person Trekking, 2-Person Dome, 2-Person Tunnel, 3-Person Dome, 4-Person Family, 4-Season Geodesic, 6-Person Family
  materials: ripstop nylon, ripstop polyester, cotton canvas
  tags: camping, festival, trekking, waterproof
  The fly sheet withstands a water column of 3,000 mm, and all seams are taped.
  Colour-coded poles of aluminium go up in under ten minutes, even in the wind.
  Two porches keep boots and rucksacks dry.
  The inner tent of fine mesh keeps midges out and lets air through.
  Packs down to the size of a loaf of bread.
  Reflective guy lines are easy to see at night.

  SB | Sleeping Bag | Outdoor > Camping > Sleeping Bags | camp | outdoor | bag | 39-429
  kinds: Summer, Kids, 3-Season, Double, Winter, Down, Expedition Down
  materials: recycled polyester, goose down, soft microfibre
  tags: camping, warm, trekking
  Comfortable down to -5 °C, and tested to the European norm.
  The two-way zip opens at the feet for warm nights.
  A draught collar and a hood that closes with one hand keep the warmth in.
  Comes with a compression sack and a cotton bag for storage.
  Mummy shape with room for your feet.

  SM | Sleeping Mat | Outdoor > Camping > Sleeping Mats | camp | outdoor | rug | 19-189
  kinds: Foam, Folding Foam, Self-Inflating, Inflatable, Insulated, Double Insulated
  materials: closed-cell foam, ripstop nylon, stretch polyester
  tags: camping, light
  Five centimetres thick, so that roots and stones stay where they are.
  The R-value of 4.2 keeps the cold of the ground away.
  The valve lets air in one way only, and out at a pull.
  Rolls up to the size of a water bottle.

  BP | Backpack | Outdoor > Hiking > Backpacks | camp | outdoor | pack | 49-289
  kinds: Day, Commuter, Hiking, Roll-Top, Trekking, Alpine, Travel
  materials: recycled nylon, Cordura, waxed cotton
  measures: 18 l, 22 l, 28 l, 35 l, 45 l, 65 l
  tags: hiking, travel, commute
  The back panel lets air pass and adjusts to the length of your back.
  A wide hip belt puts the load where you can carry it.
  The rain cover hides in a pocket at the bottom.
  Padded sleeve for a 15-inch laptop.
  Side pockets take a bottle on one side and poles on the other.
  A key clip, a whistle and a chest strap are where you expect them.

  HL | Headlamp | Outdoor > Camping > Lighting | camp | ride | lamp | 14-119
  kinds: Pocket, Trail, Rechargeable, Running, Expedition
  materials: impact-proof polycarbonate, anodised aluminium
  measures: 150 lm, 300 lm, 450 lm, 800 lm
  tags: camping, running, night
  Red light keeps your eyes used to the dark.
  Charges by USB-C in two hours and lasts up to 40.
  Waterproof to IPX7: rain is no reason to turn back.
  The beam tilts with a click, gloves on.

  LN | Lantern | Outdoor > Camping > Lighting | camp | outdoor | lamp | 19-99
  kinds: Mini, Collapsible, Solar, Rechargeable, Dimmable, Storm
  materials: silicone, powder-coated steel, frosted glass
  tags: camping, garden, night
  Warm light for the table, bright light for the search.
  A hook on both ends hangs it in a tent or a tree.
  The solar panel on its top charges it on the way.
  Also charges your telephone.

  CS | Camping Stove | Outdoor > Camping > Cooking | camp | ride | stove | 29-219
  kinds: Spirit, Gas, Folding Gas, Wood-Burning, Two-Burner, Multi-Fuel
  materials: stainless steel, titanium, hard-anodised aluminium
  tags: camping, cooking, trekking
  Boils a litre of water in under four minutes.
  The wind shield is part of the pot support.
  Folds to fit into a mug.
  Simmers as well as it boils.

  WB | Water Bottle | Outdoor > Hiking > Bottles & Flasks | camp | outdoor | bottle | 12-49
  kinds: Sports, Kids', Wide-Mouth, Insulated, Filter, Stainless-Steel
  materials: stainless steel, Tritan, borosilicate glass, titanium
  measures: 350 ml, 500 ml, 750 ml, 1 l
  tags: hiking, school, gym, leak-proof
  Keeps drinks cold for 24 hours and hot for 12.
  Leak-proof lid with a loop to carry it by.
  Free of BPA and safe in the dishwasher.
  The wide mouth takes ice cubes and a brush.
  Fits cup holders and bottle cages.

  TR | Trekking Poles | Outdoor > Hiking > Poles | camp | ride | poles | 29-179
  kinds: Telescopic, Folding, Nordic, Carbon, Carbon Folding
  materials: aluminium 7075, carbon fibre
  measures: 110 cm, 120 cm, 130 cm
  tags: hiking, trekking, light
  Cork grips take the shape of your hand and stay dry.
  Locks that hold: a lever clamps each section.
  Tips of tungsten carbide, with rubber caps for the road.
  Sold as a pair.

  CC | Camping Chair | Outdoor > Camping > Furniture | camp | outdoor | chair | 24-149
  kinds: Folding Stool, Kids', Folding, Low, Reclining, Rocking
  materials: steel and polyester, aluminium and ripstop nylon, beech and canvas
  tags: camping, beach, garden, foldable
  Carries 150 kg and weighs less than four.
  Opens in one movement, and the drink holder is on the side you need.
  Wide feet do not sink into sand or grass.
  Stays in the boot all summer without a complaint.

  CB | Cool Box | Outdoor > Camping > Cooking | camp | outdoor | coolBox | 29-329
  kinds: Soft, Picnic, Rolling, Hard-Shell, Electric 12 V
  materials: recycled polypropylene, coated polyester
  measures: 15 l, 25 l, 40 l, 60 l
  tags: camping, beach, picnic
  Ice keeps for three days in the shade.
  The lid is a table as well.
  Rounded corners and a drain make it easy to wipe out.

  HM | Hammock | Outdoor > Camping > Furniture | camp | outdoor | hammock | 29-159
  kinds: Travel, Double, Mosquito-Net, Quilted, Stand-Up
  materials: parachute nylon, organic cotton, recycled polyester
  tags: camping, garden, travel
  Straps that are kind to trees are in the bag.
  Holds two people, or one and a very large dog.
  Hangs in three minutes, without a knot.

  BH | Bike Helmet | Outdoor > Cycling > Helmets | ride | ride | hat | 35-219
  kinds: Kids', City, Commuter, Trail, Road, Full-Face
  materials: in-mould polycarbonate, recycled EPS foam
  sizes: S, M, L
  tags: cycling, commute, safety
  Eighteen vents, and a fit that turns to your head with one hand.
  The rear light is built in and charges by USB-C.
  A liner that slips takes the twist out of a fall.
  The visor comes off, the padding goes into the wash.

  BL | Bike Light Set | Outdoor > Cycling > Lights | ride | ride | lamp | 19-129
  kinds: Clip-On, Commuter, Rechargeable, Dynamo, Beam
  materials: anodised aluminium, shockproof polycarbonate
  measures: 30 lux, 60 lux, 100 lux
  tags: cycling, commute, night, safety
  Front and rear light, with holders that need no tools.
  Seen from 500 metres, and from the side as well.
  Tells you in good time when the battery runs low.

  PN | Pannier | Outdoor > Cycling > Bags | ride | ride | pack | 35-179
  kinds: Shopper, Roll-Top, Office, Touring, Waterproof Touring
  materials: PVC-free tarpaulin, Cordura, waxed cotton
  measures: 12 l, 20 l, 25 l
  tags: cycling, commute, waterproof
  Clicks onto any rack and comes off with one hand.
  Welded seams keep the rain out, whatever the forecast.
  A shoulder strap and a sleeve for a laptop make it an office bag.

  IT | Inner Tube Kit | Outdoor > Cycling > Tools & Parts | ride | ride | wheel | 9-39
  kinds: Butyl, Puncture-Proof, Light, TPU
  materials: butyl rubber, thermoplastic polyurethane
  measures: 20 in, 26 in, 27.5 in, 28 in, 29 in
  tags: cycling, spare part, repair
  Two tubes, two levers and a set of patches.
  With a Presta valve and an adapter for pumps at petrol stations.
  Small enough for any saddle bag.

  DB | Dry Bag | Outdoor > Water > Bags | ride | ride | bag | 12-89
  kinds: Light, Roll-Top, Compression, Backpack
  materials: ripstop nylon, PVC-free tarpaulin
  measures: 5 l, 10 l, 20 l, 40 l
  tags: kayak, waterproof, beach
  Roll it three times, close the buckle, throw it in.
  A window shows what is inside.
  Floats when it falls overboard.

  PB | Paddle Board | Outdoor > Water > Boards | ride | ride | board | 249-899
  kinds: Kids', Allround, Touring, Yoga, Racing
  materials: drop-stitch PVC, double-layer PVC
  measures: 9'6", 10'6", 11'6", 12'6"
  tags: sup, summer, beach
  Comes with pump, paddle, leash and a backpack to carry it all.
  Stiff as a hardboard at 15 psi, small as a suitcase without air.
  A deck with grip, and nets at both ends for what must stay dry.
`)
