/** The mark of generated content inside a file, as GB 45438-2025 and its practice guide (TC260-PG-20258A) lay it out. */
import { escapeXml } from './xml'

/** who generates: an operator with a registered code puts it here */
const PRODUCER = '游戏账号估价专家'

/** The fields of the mark. @param id of what was generated, unique with this producer */
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

/** The mark as a part of an XMP packet. */
export const aigcDescription = (id: string): string =>
  `<rdf:Description rdf:about="" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"><TC260:AIGC>${escapeXml(aigcMark(id))}</TC260:AIGC></rdf:Description>`

/** A whole XMP packet: what the file is, and the mark where its content was generated. */
export function xmpOf({ title, id, generated }: { title: string; id: string; generated: boolean }): string {
  const dc = `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title></rdf:Description>`
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${dc}${generated ? aigcDescription(id) : ''}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
}
