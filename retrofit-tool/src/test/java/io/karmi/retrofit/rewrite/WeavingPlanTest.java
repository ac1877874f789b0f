package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.rules.RetrofitOptions;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Which classes are woven that a jar may have, and no compiler makes. */
public class WeavingPlanTest {
  private final Map<String, byte[]> classFiles = new HashMap<>();
  private int finds;

  private void add(String name, String superName) {
    add(name, superName, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, 0);
  }

  private void add(String name, String superName, int access, int fieldAccess) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, access, name, null, superName, new String[] {"java/io/Serializable"});
    writer.visitField(fieldAccess, "number", "I", null, null).visitEnd();
    writer.visitEnd();
    classFiles.put(name, writer.toByteArray());
  }

  private boolean isWoven(String name) {
    finds = 0;
    ClassFiles files =
        each -> {
          finds++;
          return classFiles.get(each);
        };
    ClassReader reader = new ClassReader(classFiles.get(name));
    return WeavingPlan.of(reader, files, RetrofitOptions.parse("weave")) != null;
  }

  @Test
  public void aClassWithThousandsOfSuperclassesIsLeftAlone() {
    add("app/C0", "java/lang/Object");
    for (int i = 1; i <= 20_000; i++) {
      add("app/C" + i, "app/C" + (i - 1));
    }
    assertThat(isWoven("app/C20")).isTrue();
    assertThat(isWoven("app/C20000")).isFalse();
    assertThat(finds).isLessThan(100);
  }

  @Test
  public void classesThatExtendEachOtherAreLeftAlone() {
    add("app/One", "app/Other");
    add("app/Other", "app/One");
    assertThat(isWoven("app/One")).isFalse();
  }

  @Test
  public void valueClassesAndThoseWithStrictlyInitializedFieldsAreLeftAlone() {
    int strict = 0x0800;
    add("app/Value", "java/lang/Object", Opcodes.ACC_PUBLIC, Opcodes.ACC_FINAL);
    add("app/Below", "app/Value");
    add("app/Strict", "java/lang/Object", Opcodes.ACC_SUPER, Opcodes.ACC_FINAL | strict);
    add(
        "app/StrictTransient",
        "java/lang/Object",
        Opcodes.ACC_SUPER,
        Opcodes.ACC_TRANSIENT | strict);
    add("app/Static", "java/lang/Object", Opcodes.ACC_SUPER, Opcodes.ACC_STATIC | strict);
    assertThat(isWoven("app/Value")).isFalse();
    assertThat(isWoven("app/Below")).isFalse();
    assertThat(isWoven("app/Strict")).isFalse();
    assertThat(isWoven("app/StrictTransient")).isFalse();
    assertThat(isWoven("app/Static")).isTrue();
  }
}
