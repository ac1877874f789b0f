package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import corpus.Corpus;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.uka.codegen.AccessGenerator;
import io.karmi.uka.codegen.DirectFieldCode;
import io.karmi.uka.codegen.HandleFieldCode;
import io.karmi.uka.codegen.HiddenFieldCode;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.FinalFields;
import io.karmi.uka.platform.TypeCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

/**
 * The code generated for a corpus of classes, hidden and woven, is the code that was reviewed and
 * measured.
 *
 * <p>Digests of the listings are kept. A listing that differs is written to {@code
 * target/generated-code}, to be compared with the one of the parent commit; {@code
 * -Dgenerated-code.accept} keeps the new digests. The listings name constants, not the instruction
 * that pushes them.
 */
public class GeneratedCodeTest {
  private static final Path DIGESTS = Path.of("src", "test", "resources", "generated-code.txt");
  private static final Path LISTINGS = Path.of("target", "generated-code");

  private final Map<String, String> listings = new TreeMap<>();

  @Test
  public void generatedCodeIsTheCodeThatWasReviewed() throws Exception {
    assumeTrue("the JDK itself sets final fields here", FinalFields.canBeSet());
    for (Class<?> type : Corpus.class.getDeclaredClasses()) {
      hiddenListings(type);
      wovenListing(type);
    }
    Map<String, String> digests = new TreeMap<>();
    listings.forEach((name, text) -> digests.put(name, digest(text)));
    if (System.getProperty("generated-code.accept") != null) {
      Files.createDirectories(DIGESTS.getParent());
      Files.writeString(DIGESTS, lines(digests));
    }
    if (!Files.readString(DIGESTS).equals(lines(digests))) {
      writeListings();
    }
    assertThat(lines(digests)).isEqualTo(Files.readString(DIGESTS));
  }

  private void hiddenListings(Class<?> type) throws Exception {
    for (boolean complete : new boolean[] {true, false}) {
      Field[] fields = fieldsOf(type);
      char[] codes = new char[fields.length];
      for (int i = 0; i < codes.length; i++) {
        codes[i] = TypeCode.of(fields[i].getType());
        if (!complete && i % 2 == 0) {
          fields[i] = null;
        }
      }
      String label = type.getSimpleName() + (complete ? "" : "-half");
      hidden(label, new FieldLayout(type, codes, fields, ByteOrder.BIG_ENDIAN, NumberWidth.FULL));
      for (NumberWidth width : NumberWidth.values()) {
        hidden(
            label + "-" + width,
            new FieldLayout(type, codes, fields, ByteOrder.LITTLE_ENDIAN, width));
      }
    }
  }

  private void hidden(String label, FieldLayout layout) throws Exception {
    listings.put(label + "-nestmate", hidden(layout, DirectFieldCode.of(layout)));
    listings.put(label + "-handles", hidden(layout, HandleFieldCode.of(layout)));
  }

  private static String hidden(FieldLayout layout, HiddenFieldCode fields) throws Exception {
    return listing(AccessGenerator.bytecode(layout, fields), false);
  }

  private void wovenListing(Class<?> type) {
    RetrofitOptions options = RetrofitOptions.parse("weave");
    ClassReader reader = new ClassReader(classFile(type.getName().replace('.', '/')));
    WeavingPlan plan = WeavingPlan.of(reader, GeneratedCodeTest::classFile, options);
    if (plan != null) {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      reader.accept(new Weaver(writer, plan, new ChangeLog()), ClassReader.EXPAND_FRAMES);
      listings.put(type.getSimpleName() + "-woven", listing(writer.toByteArray(), true));
    }
  }

  private static byte[] classFile(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Serializable fields in canonical order: primitives first, each kind by name. */
  private static Field[] fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
        fields.add(field);
      }
    }
    Comparator<Field> primitivesFirst =
        Comparator.comparing(field -> !field.getType().isPrimitive());
    fields.sort(primitivesFirst.thenComparing(Field::getName));
    return fields.toArray(new Field[0]);
  }

  private static String listing(byte[] classFile, boolean woven) {
    StringWriter text = new StringWriter();
    ClassVisitor printer = new TraceClassVisitor(null, new Textifier(), new PrintWriter(text));
    ClassVisitor added =
        new ClassVisitor(Opcodes.ASM9, printer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            boolean own = woven && (access & Opcodes.ACC_SYNTHETIC) == 0;
            return own ? null : super.visitMethod(access, name, descriptor, signature, exceptions);
          }
        };
    new ClassReader(classFile).accept(added, ClassReader.SKIP_DEBUG);
    return text.toString()
        .replaceAll("(?m)^    (?:BIPUSH|SIPUSH|LDC) (-?\\d+)$", "    PUSH $1")
        .replaceAll("(?m)^    ICONST_M1$", "    PUSH -1")
        .replaceAll("(?m)^    ICONST_(\\d)$", "    PUSH $1")
        .replaceAll("(?m)^    LDC (-?\\d+)L$", "    PUSH $1L")
        .replaceAll("(?m)^    LCONST_(\\d)$", "    PUSH $1L")
        .replaceAll("    PUSH -?\\d+(\\R.*\\.writeExact )", "    PUSH hash$1");
  }

  private static String digest(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String lines(Map<String, String> digests) {
    StringBuilder text = new StringBuilder();
    digests.forEach((name, digest) -> text.append(name).append(' ').append(digest).append('\n'));
    return text.toString();
  }

  private void writeListings() throws IOException {
    Files.createDirectories(LISTINGS);
    for (Map.Entry<String, String> entry : listings.entrySet()) {
      Files.writeString(LISTINGS.resolve(entry.getKey() + ".txt"), entry.getValue());
    }
  }
}
