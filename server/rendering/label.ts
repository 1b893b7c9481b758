/**
 * The label of AI-generated content in file metadata, as GB 45438-2025 and its practice guide (TC260-PG-20258A) define
 * it.
 */
import { escapeXml } from './xml'

/** the producer: an operator with a registered code enters it here */
const PRODUCER = '游戏账号估价专家'

/** The fields of the label. @param id of the generated content, unique for this producer */
export const aigcMark = (id: string): string =>
  JSON.stringify({
    Label: '1',
    ContentProducer: PRODUCER,
    ProduceID: id,
    ReservedCode1: '',
    ContentPropagator: PRODUCER,
    PropagateID: id,
    ReservedCode2: '',
  })

/** The label as part of an XMP packet. */
export const aigcDescription = (id: string): string =>
  `<rdf:Description rdf:about="" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"><TC260:AIGC>${escapeXml(aigcMark(id))}</TC260:AIGC></rdf:Description>`

/** A whole XMP packet: title and id of the file, and the label if its content was generated. */
export function xmpOf({ title, id, generated }: { title: string; id: string; generated: boolean }): string {
  const dc = `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title></rdf:Description>`
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${dc}${generated ? aigcDescription(id) : ''}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
}
