import { Card } from '@/ui/Card/Card'
import { Checkbox } from '@/ui/Checkbox/Checkbox'
import { copy } from '../copy'
import type { FillFormState } from './useFillForm'

/** Asks whether the price of the pasted listing may be used for the market. */
export function ListingConsent({ fill: { listing, setListing } }: { fill: FillFormState }) {
  if (!listing) return null
  const words = copy.askingPriceUse(listing.askFen)
  return (
    <Card>
      <Checkbox value={listing.agreed} onChange={(agreed) => setListing({ ...listing, agreed })} name={words}>
        {words}
      </Checkbox>
    </Card>
  )
}
