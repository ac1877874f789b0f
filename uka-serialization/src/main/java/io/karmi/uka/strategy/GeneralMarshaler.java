package io.karmi.uka.strategy;

import io.karmi.uka.engine.write.FieldsWriter;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;

/** General writer of objects: any hierarchy, with or without methods of its own. */
public final class GeneralMarshaler extends ObjectMarshaler {
  public GeneralMarshaler(LocalClass type) {
    super(type);
  }

  @Override
  public void marshal(ObjectWriter out, Object object) throws IOException {
    for (LocalClass level : levels) {
      if (level.hooks().hasWriteObject()) {
        out.callbacks().writeCustom(object, level);
      } else {
        FieldsWriter.writeFields(out, object, level);
      }
    }
  }
}
