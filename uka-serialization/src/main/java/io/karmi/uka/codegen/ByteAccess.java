package io.karmi.uka.codegen;

import io.karmi.uka.platform.PrimitiveBlock;
import java.lang.invoke.VarHandle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Instructions by which generated code stores and loads 1, 2, 4 or 8 bytes of an array. */
public enum ByteAccess {
  /** By methods of {@link PrimitiveBlock}. */
  METHODS {
    @Override
    void begin(MethodVisitor code, int size) {}

    @Override
    void store(MethodVisitor code, int size) {
      call(code, "put" + name(size), "([BI" + type(size) + ")V");
    }

    @Override
    void load(MethodVisitor code, int size) {
      call(code, "get" + name(size), "([BI)" + type(size));
    }

    private void call(MethodVisitor code, String method, String descriptor) {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, BLOCK, method, descriptor, false);
    }

    private String name(int size) {
      return switch (size) {
        case 1 -> "Byte";
        case 2 -> "Short";
        case 4 -> "Int";
        default -> "Long";
      };
    }

    private String type(int size) {
      return size == Long.BYTES ? "J" : "I";
    }
  },

  /**
   * By the handles of {@link PrimitiveBlock}, for woven code, which is one call deeper: the JIT
   * inlines to a certain depth only.
   */
  HANDLES {
    @Override
    void begin(MethodVisitor code, int size) {
      if (size > 1) {
        String name = size == Long.BYTES ? "LONGS" : size == Integer.BYTES ? "INTS" : "SHORTS";
        code.visitFieldInsn(Opcodes.GETSTATIC, BLOCK, name, "L" + HANDLE + ";");
      }
    }

    @Override
    void store(MethodVisitor code, int size) {
      if (size == 1) {
        code.visitInsn(Opcodes.BASTORE);
        return;
      }
      if (size == Short.BYTES) {
        code.visitInsn(Opcodes.I2S);
      }
      call(code, "set", "([BI" + type(size) + ")V");
    }

    @Override
    void load(MethodVisitor code, int size) {
      if (size == 1) {
        code.visitInsn(Opcodes.BALOAD);
      } else {
        call(code, "get", "([BI)" + type(size));
      }
    }

    private void call(MethodVisitor code, String method, String descriptor) {
      code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, HANDLE, method, descriptor, false);
    }

    private String type(int size) {
      return size == Long.BYTES ? "J" : size == Integer.BYTES ? "I" : "S";
    }
  };

  private static final String BLOCK = Type.getInternalName(PrimitiveBlock.class);
  private static final String HANDLE = Type.getInternalName(VarHandle.class);

  /** Pushes what must be on the stack before array and position. */
  abstract void begin(MethodVisitor code, int size);

  /** Takes array, position and value from the stack. */
  abstract void store(MethodVisitor code, int size);

  /** Takes array and position from the stack, and leaves the value. */
  abstract void load(MethodVisitor code, int size);
}
