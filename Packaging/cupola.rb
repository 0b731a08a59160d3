# The formula for Homebrew, which refuses formulas outside of taps: put it into Formula of the tap's repository, then
# `brew install @TAP@/cupola`; to try it, `brew tap-new me/tap` and into "$(brew --repository me/tap)/Formula".
# Scripts/release fills in the addresses, the version and its commit; --HEAD builds the main branch.
class Cupola < Formula
  desc "Names the buildings of a campus in photos, on the device"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@.git", tag: "@VERSION@", revision: "@COMMIT@"
  license "Apache-2.0"
  head "@REPOSITORY@.git", branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "cupola"
    bin.install ".build/release/cupola"
    generate_completions_from_executable(bin/"cupola", "--generate-completion-script")
    pkgshare.install "Models/sample-campus.safetensors", "TrainingData/campus.geojson"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/cupola --version")
    assert_match "Founders Hall", shell_output("#{bin}/cupola campus search #{pkgshare}/campus.geojson founders")
  end
end
