package io.karmi.benchmarks.report;

import java.io.Writer;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Elements, attributes and escaped text, for HTML and SVG alike. */
final class Markup {
  private final XMLStreamWriter xml;

  Markup(Writer out) throws XMLStreamException {
    xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
  }

  /** Opens an element; {@code attributes} are names and values in turn. Numbers get one digit. */
  Markup open(String element, Object... attributes) throws XMLStreamException {
    xml.writeStartElement(element);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      xml.writeAttribute(
          (String) attributes[i],
          value instanceof Double number
              ? String.format(Locale.ROOT, "%.1f", number)
              : value.toString());
    }
    return this;
  }

  Markup text(String text) throws XMLStreamException {
    xml.writeCharacters(text);
    return this;
  }

  /** Closes the innermost open element, with an end tag even if it is empty. */
  Markup close() throws XMLStreamException {
    xml.writeCharacters("");
    xml.writeEndElement();
    return this;
  }

  /** An element that holds only text. */
  Markup element(String element, String text, Object... attributes) throws XMLStreamException {
    return open(element, attributes).text(text).close();
  }

  void flush() throws XMLStreamException {
    xml.flush();
  }
}
