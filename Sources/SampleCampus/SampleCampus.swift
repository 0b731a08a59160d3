@main enum SampleCampus { static func main() {} }
