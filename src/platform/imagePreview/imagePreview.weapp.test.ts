import { dialog } from '@/platform/dialog'
import { imagePreview } from '.'

it("is the host's own viewer, and says when that fails", async () => {
  const shown = jest.spyOn(wx, 'previewImage').mockImplementation(({ fail }) => fail())
  const toast = jest.spyOn(dialog, 'toast')
  imagePreview.open(['a', 'b'])
  await Promise.resolve()
  expect(shown).toHaveBeenCalledWith(expect.objectContaining({ urls: ['a', 'b'], current: 'a' }))
  expect(toast).toHaveBeenCalledWith('图片打不开，请重试')
  imagePreview.open([])
  expect(shown).toHaveBeenCalledTimes(1)
})
