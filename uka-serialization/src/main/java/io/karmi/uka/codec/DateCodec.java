package io.karmi.uka.codec;

import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Codec of {@code java.util.Date}: a block of one number. */
final class DateCodec extends PlatformCodec {
  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return new DateMarshaler(type, table);
  }

  @Override
  Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return new DateReader(type, form);
  }

  @Override
  void expand(String name, ShortForms into) throws IOException {
    long time = into.buffer.readVarLong();
    if (time != 0) {
      into.format.openBlock(Long.BYTES);
      into.text.writeLong(Long.reverseBytes(CompactNumbers.unzigzag(time - 1)));
      into.format.writeToken(Token.END_OF_BLOCKS);
    }
  }

  static final class DateMarshaler extends PlatformMarshaler {
    DateMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    @Override
    public ContentHash content(ByteOrder order) {
      return ValueContent.INSTANCE;
    }

    @Override
    public void beginGeneral(ObjectWriter out) throws IOException {
      if (isShort(out)) {
        out.buffer.writeByte(0);
      }
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      long time = ((Date) object).getTime();
      if (isShort(out) && time != Long.MIN_VALUE) {
        out.buffer.writeVarLong(CompactNumbers.zigzag(time) + 1);
        return true;
      }
      beginGeneral(out);
      out.format().openBlock(Long.BYTES);
      out.buffer.writeLong(Long.reverseBytes(time));
      end(out);
      return true;
    }
  }

  static final class DateReader extends PlatformReader {
    DateReader(ReadType type, @Nullable ShortForm form) {
      super(type, form);
    }

    @Override
    public Object read(ReadContext in, boolean unshared) throws IOException {
      long time = hasShortForm() ? in.buffer.readVarLong() : 0;
      if (time == 0) {
        return readGeneral(in, unshared);
      }
      Date date = new Date(CompactNumbers.unzigzag(time - 1));
      in.begin(date, type, unshared);
      return date;
    }

    private Date readGeneral(ReadContext in, boolean unshared) throws IOException {
      Date date = new Date(readTime(in));
      in.begin(date, type, unshared);
      end(in);
      return date;
    }

    @Override
    public @Nullable Object readShared(ReadContext in) throws IOException {
      if (!hasShortForm() || in.hooks.overridesCalls()) {
        return super.readShared(in);
      }
      long time = in.buffer.readVarLong();
      if (time == 0) {
        Date date = readGeneral(in, false);
        in.end(in.currentHandle());
        return date;
      }
      Date date = new Date(CompactNumbers.unzigzag(time - 1));
      in.addLeaf(date);
      return date;
    }

    @Override
    public boolean isLeaf() {
      return true;
    }

    private static long readTime(ReadContext in) throws IOException {
      if (in.format().takeBlock(Long.BYTES)) {
        return Long.reverseBytes(in.buffer().readLong());
      }
      beginBlock(in);
      return in.blocks().readLong();
    }
  }
}
