import { GalleryScreen } from '@/features/gallery/GalleryScreen'
import { page } from '@/router/page'

export default page('test', GalleryScreen)
