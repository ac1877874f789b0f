package io.karmi.uka.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.format.FrameInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the JIT must not put into other methods: decision 0023. */
public class CompiledApartTest {
  /** HotSpot's FreqInlineSize: what has more bytecodes is put into no other method. */
  private static final int INLINED_BYTES = 325;

  @Test
  public void theWayFromAnObjectToWhatItRefersToIsTooLargeToBeInlined() throws IOException {
    assertThat(bytesOf(ObjectReader.class, "readBelow"))
        .singleElement()
        .satisfies(bytes -> assertThat(bytes).isGreaterThan(INLINED_BYTES));
  }

  @Test
  public void theWayToTheSourceIsTooLargeToBeInlined() throws IOException {
    assertThat(bytesOf(FrameInput.class, "fetchAll"))
        .singleElement()
        .satisfies(bytes -> assertThat(bytes).isGreaterThan(INLINED_BYTES));
  }

  /** The sizes of all methods of that name. */
  private static List<Integer> bytesOf(Class<?> type, String method) throws IOException {
    List<Integer> sizes = new ArrayList<>();
    String file = type.getSimpleName() + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      ClassReader reader = new ClassReader(in);
      ClassWriter writer = new ClassWriter(reader, 0);
      reader.accept(
          new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
              MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
              return name.equals(method) ? measuring(next, sizes) : next;
            }
          },
          0);
    }
    return sizes;
  }

  private static MethodVisitor measuring(MethodVisitor next, List<Integer> sizes) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMaxs(int stack, int locals) {
        Label end = new Label();
        super.visitLabel(end);
        sizes.add(end.getOffset());
        super.visitMaxs(stack, locals);
      }
    };
  }
}
