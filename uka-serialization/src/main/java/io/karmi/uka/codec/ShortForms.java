package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.format.uka.UkaFormatWriter;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Expansion of short forms: the general form of an object's data takes the place of the short form
 * in the buffer. For readers that do not know the class, or that a program observes.
 */
final class ShortForms {
  /** In the place of a short form, or its lowest bit: the general form follows. */
  static final int GENERAL = 1;

  private final ReadContext in;
  private final ShortForm form;

  final InputBuffer buffer;

  /** Gets the general form. */
  final OutputBuffer text = new OutputBuffer(64);

  /** Writes to {@link #text}. */
  final UkaFormatWriter format;

  /**
   * @param form short form of the data
   */
  ShortForms(ReadContext in, ShortForm form) {
    this.in = in;
    this.form = form;
    format = new UkaFormatWriter(text, form.table());
    buffer = in.buffer;
  }

  /** Replaces the short form that comes next by the general one. */
  void expand() throws IOException {
    text.position = 0;
    form.codec().expand(form.name(), this);
    if (text.position > 0) {
      buffer.unread(text.bytes, text.position);
    }
  }

  void writeBlock(int... values) throws IOException {
    format.openBlock(values.length * Integer.BYTES);
    for (int value : values) {
      text.writeInt(Integer.reverseBytes(value));
    }
  }

  int numberOf(String name) throws IOException {
    int number = in.typeTable().find(name);
    if (number < 0) {
      throw new StreamCorruptedException(
          "a short form that needs " + name + ", which the stream has not described");
    }
    return number;
  }

  boolean hasShortForm(String name) throws IOException {
    return in.typeTable().get(numberOf(name)).shortForm() != null;
  }

  /** Reader of objects by the expansion of their short form. */
  static final class Reader extends Unmarshaler {
    private final ShortForm form;
    private final Unmarshaler general;
    private @Nullable ShortForms forms;

    /**
     * @param general reads the general form
     */
    Reader(ReadType type, ShortForm form, Unmarshaler general) {
      super(type);
      this.form = form;
      this.general = general;
    }

    Unmarshaler general() {
      return general;
    }

    @Override
    public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      expand(in);
      return general.unmarshal(in, unshared);
    }

    void expand(ReadContext in) throws IOException {
      if (forms == null) {
        forms = new ShortForms(in, form);
      }
      forms.expand();
    }
  }
}
