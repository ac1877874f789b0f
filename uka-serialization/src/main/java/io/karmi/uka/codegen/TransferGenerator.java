package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.Instantiator;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generator of the methods that move fields between object and stream without an array in between,
 * where that is possible.
 */
final class TransferGenerator implements Opcodes {
  private static final String WRITE = "(L" + ClassCode.SINK + ";Ljava/lang/Object;JI)V";

  /** Locals of a method at most; classes that need more move their fields by arrays. */
  private static final int MAXIMUM_LOCALS = 120;

  private final AccessCode generator;
  private final FieldLayout layout;
  private final HiddenFieldCode fields;
  private final RunGenerator runs;

  TransferGenerator(AccessCode generator, FieldLayout layout, HiddenFieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    runs = new RunGenerator(generator.writer, generator.name);
  }

  void generate() {
    if (2 * BlockUnit.split(layout.block).size() + layout.referenceCount() > MAXIMUM_LOCALS) {
      return;
    }
    boolean refers = layout.referenceCount() > 0;
    write();
    runs.write(refers, ContentGenerator.applies(layout));
    if (ContentGenerator.applies(layout)) {
      new ContentGenerator(generator, layout, fields).generate();
    }
    if (!fields.sets()) {
      return;
    }
    ReadGenerator reading = new ReadGenerator(generator, layout, fields);
    MakeGenerator making = new MakeGenerator(generator, layout, fields, reading);
    if (layout.declaring.isRecord()) {
      if (making.record()) {
        runs.read(refers);
      }
      return;
    }
    if (refers) {
      reading.read();
    } else {
      reading.readPrimitivesOnly();
    }
    if (Instantiator.allocates(layout.declaring)) {
      make(making, refers);
    }
  }

  /* Locals of write: 1 sink, 2 object, 3 opening, 5 its length. */

  private void write() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "write", WRITE);
    Locals free = new Locals(6);
    int object = generator.castObject(code, 2, free);
    WriteCode writing = new WriteCode(generator, fields, layout.block, 1, object, 3, free);
    writing.writeBlock(code, true, true);
    for (int i = layout.primitiveCount; i < layout.codes.length; i++) {
      writing.writeReference(code, i);
    }
    GeneratedClass.end(code);
  }

  private void make(MakeGenerator making, boolean refers) {
    if (!refers) {
      making.leaf();
      if (layout.block.order == ByteOrder.LITTLE_ENDIAN) {
        runs.readNew(false);
        new LeafRunGenerator(generator, making, layout, fields).generate(runs);
      } else {
        runs.read(false); // the JDK's format has no token for it
      }
      return;
    }
    making.object(generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES), false);
    if (refersToOwnKind()) {
      making.object(runs.beginNew(true), true);
      runs.readRun(true);
    } else {
      runs.read(true);
    }
  }

  private boolean refersToOwnKind() {
    for (int i = 0; i < layout.referenceCount(); i++) {
      Field field = layout.reference(i);
      if (field != null && field.getType() == layout.declaring) {
        return true;
      }
    }
    return false;
  }
}
